// A metal-rough surface lit by key, fill, rim and sky light. The shadow of the key light is
// filtered over KEY_BOX texels.
uniform vec3 eye;
uniform vec3 keyDirection;
uniform vec3 fillDirection;
uniform vec3 rimDirection;
uniform vec4 baseColor;
uniform sampler2D baseColorMap;
uniform float metallic;
uniform float roughness;
uniform sampler2D metalRoughMap;
uniform vec3 emissive;
uniform sampler2D emissiveMap;
uniform float alphaCutoff; // 0 for opaque materials
uniform float unlit; // 1 for unlit materials
uniform float keyTexelSize; // metres; 0 disables the shadow
uniform float bodyScale; // 1 for an adult
uniform vec4 tint; // sRGB colour and strength
uniform float hatched; // 1 for stripes across the body
uniform float opacity;

in vec3 worldPosition;
in vec3 worldNormal;
in vec2 surface;
in vec4 vertexColor;

out vec4 outColor;

const float PI = 3.14159265;
const vec3 KEY = vec3(2.55, 2.40, 2.20);
const vec3 FILL = vec3(0.26, 0.32, 0.42);
const vec3 RIM = vec3(1.05, 1.15, 1.32);
const vec3 SKY = vec3(0.30, 0.335, 0.39);
const vec3 FLOOR = vec3(0.13, 0.125, 0.12);

vec3 fresnel(vec3 straight, float cosine) {
    float away = 1.0 - cosine;
    float squared = away * away;
    return straight + (1.0 - straight) * (squared * squared * away);
}

// Lambert and GGX with height-correlated Smith visibility, as in glTF 2.0, appendix B.
vec3 lit(vec3 n, vec3 v, vec3 l, vec3 diffuse, vec3 straight, float alpha) {
    float nl = max(dot(n, l), 0.0);
    if (nl == 0.0) {
        return vec3(0.0);
    }
    vec3 h = normalize(l + v);
    float nv = max(dot(n, v), 1e-3);
    float nh = max(dot(n, h), 0.0);
    float a2 = alpha * alpha;
    float d = nh * nh * (a2 - 1.0) + 1.0;
    float distribution = a2 / (PI * d * d);
    float visibility = 0.5 / (nl * sqrt(nv * nv * (1.0 - a2) + a2)
        + nv * sqrt(nl * nl * (1.0 - a2) + a2));
    vec3 f = fresnel(straight, max(dot(v, h), 0.0));
    return (diffuse * (1.0 - f) / PI + f * distribution * visibility) * nl * PI;
}

vec3 sky(vec3 direction) {
    return mix(FLOOR, SKY, smoothstep(-0.6, 0.9, direction.y));
}

float keyLight(vec3 n) {
    if (keyTexelSize == 0.0) {
        return 1.0;
    }
    float slope = 1.0 - max(dot(n, keyDirection), 0.0);
    vec3 place = keyPlace(worldPosition + n * keyTexelSize * (1.2 + 2.5 * slope));
    float depth = place.z - 0.0006;
    // A box filter of KEY_BOX by KEY_BOX texels centred on the point: reads one more texel in each
    // direction and weights the outer ones by their coverage.
    vec2 at = place.xy * keyTexels - 0.5;
    vec2 part = fract(at);
    ivec2 corner = clamp(ivec2(at) - KEY_BOX / 2, ivec2(0), ivec2(int(keyTexels) - 1 - KEY_BOX));
    float sum = 0.0;
    for (int y = 0; y <= KEY_BOX; y++) {
        float along = y == 0 ? 1.0 - part.y : y == KEY_BOX ? part.y : 1.0;
        for (int x = 0; x <= KEY_BOX; x++) {
            float across = x == 0 ? 1.0 - part.x : x == KEY_BOX ? part.x : 1.0;
            float kept = texelFetch(keyDepth, corner + ivec2(x, y), 0).x;
            sum += step(depth, kept) * across * along;
        }
    }
    return sum / float(KEY_BOX * KEY_BOX);
}

// Sets a body apart from others: tint, stripes, opacity.
vec4 marked(vec3 srgb) {
    float bright = dot(srgb, vec3(0.30, 0.59, 0.11));
    vec3 color = mix(srgb, clamp(tint.rgb * (0.45 + 0.95 * bright), 0.0, 1.0), tint.a);
    if (hatched > 0.5) {
        float across = abs(fract((gl_FragCoord.x + gl_FragCoord.y) / 11.0) - 0.5) * 2.0;
        color *= mix(0.42, 1.0, smoothstep(0.38, 0.52, across));
    }
    return vec4(color, opacity);
}

void main() {
    vec4 picture = texture(baseColorMap, surface) * vec4(1.0, 1.0, 1.0, vertexColor.a);
    if (baseColor.a * picture.a < alphaCutoff) {
        discard;
    }
    vec3 base = baseColor.rgb * vertexColor.rgb * toLinear(picture.rgb);
    if (unlit > 0.5) {
        outColor = marked(toSrgb(base));
        return;
    }
    vec4 metalRough = texture(metalRoughMap, surface);
    float metal = metallic * metalRough.b;
    float rough = max(roughness * metalRough.g, 0.05);
    vec3 v = normalize(eye - worldPosition);
    vec3 n = normalize(worldNormal);
    n = gl_FrontFacing ? n : -n;
    float alpha = max(rough * rough, 0.03);
    vec3 straight = mix(vec3(0.04), base, metal);
    vec3 diffuse = base * (1.0 - metal);

    vec3 light = KEY * keyLight(n) * lit(n, v, keyDirection, diffuse, straight, alpha)
        + FILL * lit(n, v, fillDirection, diffuse, straight, alpha)
        + RIM * lit(n, v, rimDirection, diffuse, straight, alpha);
    float grazing = 1.0 - max(dot(n, v), 0.0);
    vec3 mirrored = fresnel(straight, 1.0 - grazing) * (1.0 - 0.8 * rough);
    float nearFloor = smoothstep(-0.05, 0.45, worldPosition.y / bodyScale);
    float open = mix(0.55, 1.0, mix(nearFloor, 1.0, n.y * 0.5 + 0.5));
    light += open * (diffuse * sky(n) + mirrored * sky(reflect(-v, n)));
    light += emissive * toLinear(texture(emissiveMap, surface).rgb);
    outColor = marked(dithered(toSrgb(filmic(light * 0.58))));
}
