in vec2 place;
out vec4 outColor;

void main() {
    outColor = vec4(dithered(backdrop()), 1.0);
}
