// From light to the screen.

vec3 toSrgb(vec3 linear) {
    vec3 low = linear * 12.92;
    vec3 high = 1.055 * pow(max(linear, vec3(0.0)), vec3(1.0 / 2.4)) - 0.055;
    return mix(low, high, step(vec3(0.0031308), linear));
}

vec3 toLinear(vec3 srgb) {
    return mix(srgb / 12.92, pow((srgb + 0.055) / 1.055, vec3(2.4)), step(vec3(0.04045), srgb));
}

// Filmic shoulder and toe: the fit of the ACES reference curve by Krzysztof Narkowicz, 2016.
vec3 filmic(vec3 x) {
    return clamp((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
}

uniform float noiseStrength; // 1 or 0

// Half a step of noise, the same every time: hides the bands of dark gradients.
vec3 dithered(vec3 srgb) {
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    return srgb + (noise - 0.5) * noiseStrength / 255.0;
}
