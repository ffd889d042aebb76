// Conversion of linear light to display values.

// Approximations of the sRGB curve within 0.3 %, without powers: fits by Ian Taylor, 2012.
vec3 toSrgb(vec3 linear) {
    vec3 one = sqrt(max(linear, vec3(0.0)));
    vec3 two = sqrt(one);
    vec3 three = sqrt(two);
    return clamp(0.662002687 * one + 0.684122060 * two - 0.323583601 * three
        - 0.0225411470 * linear, 0.0, 1.0);
}

vec3 toLinear(vec3 srgb) {
    return srgb * (srgb * (srgb * 0.305306011 + 0.682171111) + 0.012522878);
}

// Filmic tone mapping: the fit of the ACES reference curve by Krzysztof Narkowicz, 2016.
vec3 filmic(vec3 x) {
    return clamp((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
}

uniform float noiseStrength; // 1 or 0

// Dithers with half a step of noise, which hides banding in dark gradients. Deterministic.
vec3 dithered(vec3 srgb) {
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    return srgb + (noise - 0.5) * noiseStrength / 255.0;
}
