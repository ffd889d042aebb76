uniform float shown; // share of the tint's own coverage
in vec4 trailTint;
out vec4 outColor;

void main() {
    outColor = vec4(trailTint.rgb, trailTint.a * shown);
}
