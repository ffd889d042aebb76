// An image behind everything: fills the frame and is cropped to its aspect ratio.
uniform sampler2D picture;
uniform float pictureAspect;
uniform vec4 pictureFrame; // x, y, width, height in pixels

in vec2 place;
out vec4 outColor;

void main() {
    float aspect = pictureFrame.z / pictureFrame.w;
    vec2 share = vec2(min(aspect / pictureAspect, 1.0), min(pictureAspect / aspect, 1.0));
    outColor = vec4(texture(picture, (place - 0.5) * share + 0.5).rgb, 1.0);
}
