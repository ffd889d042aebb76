uniform sampler2D picture;
in vec2 place;
out vec4 outColor;

void main() {
    outColor = texture(picture, place);
}
