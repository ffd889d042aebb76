// The fraction of the key light that reaches a point, from 0 to 1.
uniform mat4 keyMatrix; // world to the key light's clip space
uniform sampler2D keyDepth;
uniform float keyTexels; // side length of keyDepth in texels

vec3 keyPlace(vec3 world) {
    return (keyMatrix * vec4(world, 1.0)).xyz * 0.5 + 0.5;
}

// Points outside the depth map, or where it is empty, are lit.
bool empty(float kept) {
    return kept > 0.99999;
}

float depthAt(ivec2 texel) {
    int side = int(keyTexels);
    bool inside = all(greaterThanEqual(texel, ivec2(0))) && all(lessThan(texel, ivec2(side)));
    return inside ? texelFetch(keyDepth, texel, 0).x : 1.0;
}

float litAt(ivec2 texel, float depth) {
    float kept = depthAt(texel);
    return empty(kept) ? 1.0 : step(depth, kept);
}

// Bilinear filter over four texels.
float litSmooth(vec2 place, float depth) {
    vec2 at = place * keyTexels - 0.5;
    ivec2 corner = ivec2(floor(at));
    vec2 part = at - floor(at);
    float low = mix(litAt(corner, depth), litAt(corner + ivec2(1, 0), depth), part.x);
    float high = mix(litAt(corner + ivec2(0, 1), depth), litAt(corner + ivec2(1, 1), depth), part.x);
    return mix(low, high, part.y);
}
