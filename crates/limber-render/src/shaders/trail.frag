uniform float shown; // factor for the alpha of the tint
in vec4 trailTint;
out vec4 outColor;

void main() {
    outColor = vec4(trailTint.rgb, trailTint.a * shown);
}
