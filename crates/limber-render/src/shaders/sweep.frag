// Matte paper under a large lamp above the bodies and a soft one from the front; the shadow of the
// bodies falls on the floor.
uniform vec3 color; // sRGB
uniform vec3 keyDirection;
uniform vec4 focus; // x and z of the bodies; scale, 1 for an adult
uniform vec4 patchFrame;
uniform sampler2D floorLight;
uniform float shadowed; // 1 or 0

in vec3 world;
in vec3 facing;
out vec4 outColor;

void main() {
    vec3 n = normalize(facing);
    float scale = focus.z;
    vec3 to = vec3(focus.x, 4.2 * scale, focus.y) - world;
    float away = length(to) / scale;
    float lamp = (0.35 + 0.65 * max(dot(n, normalize(to)), 0.0)) / (1.0 + 0.035 * away * away);
    float key = 0.45 + 0.55 * dot(n, keyDirection);
    float light = 0.30 + 0.62 * key + 1.25 * lamp;
    float height = world.y / scale;
    light *= mix(1.0, 0.72, smoothstep(1.5, 8.0, height));
    vec2 side = world.xz - focus.xy;
    light *= mix(1.0, 0.70, smoothstep(3.5, 16.0, length(side) / scale));
    if (shadowed > 0.5) {
        vec2 at = (world.xz - patchFrame.xy) / (2.0 * patchFrame.z) + 0.5;
        vec2 reach = all(lessThan(abs(at - 0.5), vec2(0.5))) ? texture(floorLight, at).xy : vec2(1.0);
        float shade = mix(0.42, 1.0, reach.x) * mix(0.30, 1.0, reach.y);
        light *= mix(shade, 1.0, smoothstep(0.0, 0.25, height));
    }
    vec3 paper = toLinear(color);
    outColor = vec4(dithered(toSrgb(filmic(paper * light * 0.62))), 1.0);
}
