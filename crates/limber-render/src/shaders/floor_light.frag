// The light that reaches each point of a square of floor: red from the key light, green from the
// sky. Rendered once per frame into a small texture, so that a wide, soft filter is affordable.
// Takes TAPS samples of each.
uniform vec4 patchFrame; // centre x, centre z, half a side in metres, scale of the bodies
uniform float keySpan; // width of keyDepth in metres
uniform float keyReach; // its depth range in metres
uniform sampler2D heightDepth; // height of the lowest skin above the floor, seen from below
uniform vec2 heightRange; // heights at depth 0 and 1, in metres
uniform float heightTexels;

in vec2 place;
out vec4 outColor;

// Distributes samples evenly over a disc with the golden angle (Vogel 1979).
vec2 disc(int tap, float turn) {
    float radius = sqrt((float(tap) + 0.5) / float(TAPS));
    float angle = float(tap) * 2.39996323 + turn;
    return radius * vec2(cos(angle), sin(angle));
}

float heightAt(vec2 at) {
    ivec2 texel = ivec2(clamp(at, 0.0, 0.9999) * heightTexels);
    return mix(heightRange.x, heightRange.y, texelFetch(heightDepth, texel, 0).x);
}

// The higher the occluder, the softer its shadow's edge, so search for occluders first.
float fromKey(vec3 world) {
    vec3 at = keyPlace(world);
    float scale = patchFrame.w;
    float search = 0.16 * scale / keySpan;
    float found = 0.0;
    float away = 0.0;
    for (int i = 0; i < TAPS; i++) {
        vec2 tap = at.xy + disc(i, 0.0) * search;
        float depth = depthAt(ivec2(floor(tap * keyTexels)));
        if (!empty(depth) && depth < at.z - 0.001) {
            found += 1.0;
            away += at.z - depth;
        }
    }
    if (found == 0.0) {
        return 1.0;
    }
    float width = clamp(away / found * keyReach * 0.11, 0.012 * scale, 0.16 * scale) / keySpan;
    float sum = 0.0;
    for (int i = 0; i < TAPS; i++) {
        sum += litSmooth(at.xy + disc(i, 1.1) * width, at.z - 0.0015);
    }
    return sum / float(TAPS);
}

// Ambient occlusion by bodies close above the floor.
float fromSky(vec2 at) {
    float scale = patchFrame.w;
    float covered = 0.0;
    for (int i = 0; i < TAPS; i++) {
        vec2 way = disc(i, 0.5) * 0.20;
        float height = max(heightAt(at + way * scale / (2.0 * patchFrame.z)) / scale, 0.0);
        float near = clamp(1.0 - height / 0.32, 0.0, 1.0);
        covered += near * near * (1.0 - 0.6 * dot(way, way) / 0.04);
    }
    return 1.0 - min(covered / float(TAPS) * 1.25, 0.92);
}

void main() {
    vec2 ground = patchFrame.xy + (place * 2.0 - 1.0) * patchFrame.z;
    vec2 edge = smoothstep(vec2(1.0), vec2(0.86), abs(place * 2.0 - 1.0));
    float inside = edge.x * edge.y;
    float key = mix(1.0, fromKey(vec3(ground.x, 0.0, ground.y)), inside);
    float open = mix(1.0, fromSky(place), inside);
    outColor = vec4(key, open, 0.0, 1.0);
}
