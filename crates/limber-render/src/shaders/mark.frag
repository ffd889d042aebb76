uniform vec3 markColor;
in vec2 inRing;
out vec4 outColor;

void main() {
    float radius = length(inRing);
    float soft = fwidth(radius) + 0.02;
    float disc = 1.0 - smoothstep(1.0 - soft, 1.0, radius);
    float ring = smoothstep(0.74 - soft, 0.74, radius);
    outColor = vec4(markColor, disc * mix(0.28, 0.9, ring));
}
