// The floor: the backdrop with a pool of light, grid lines and shadow. It fades into the backdrop,
// so that there is no horizon.
uniform vec4 floorFrame;
uniform vec4 patchFrame;
uniform sampler2D floorLight;
uniform vec3 poolColor;
uniform vec3 lineColor;
uniform float lineStrength;
uniform float shade;
uniform float shadowed; // 1 or 0

in vec2 ground;
out vec4 outColor;

float lines(vec2 at, float width) {
    vec2 step = fwidth(at);
    vec2 away = abs(fract(at - 0.5) - 0.5);
    vec2 half_ = max(vec2(width), step * 0.5);
    vec2 cover = smoothstep(half_ + step, half_ - step * 0.5, away) * width / half_;
    // Where a pixel covers many lines, they would blur to a haze; fade them out instead.
    cover *= 1.0 - smoothstep(0.25, 0.6, step);
    return max(cover.x, cover.y);
}

void main() {
    float away = length(ground - floorFrame.xy) / floorFrame.z;
    float fade = 1.0 - smoothstep(0.10, 0.85, away);
    vec3 color = backdrop();
    color += poolColor * exp(-away * away * 22.0);
    if (shadowed > 0.5) {
        vec2 at = (ground - patchFrame.xy) / (2.0 * patchFrame.z) + 0.5;
        vec2 light = all(lessThan(abs(at - 0.5), vec2(0.5))) ? texture(floorLight, at).xy : vec2(1.0);
        float reach = mix(0.45, 1.0, light.x) * mix(0.30, 1.0, light.y);
        color *= mix(shade, 1.0, clamp((reach - 0.12) / 0.88, 0.0, 1.0));
    }
    vec2 grid = ground / floorFrame.w;
    float line = lines(grid, 0.006);
    color = mix(color, lineColor, line * lineStrength * fade);
    outColor = vec4(dithered(mix(backdrop(), color, fade)), 1.0);
}
