uniform sampler2D picture;
uniform float pictureAspect; // 0 where there is none
in vec2 place;
out vec4 outColor;

void main() {
    if (pictureAspect > 0.0) {
        // Fill the frame, cut what stands over.
        float aspect = pictureFrame.z / pictureFrame.w;
        vec2 share = vec2(min(aspect / pictureAspect, 1.0), min(pictureAspect / aspect, 1.0));
        outColor = vec4(texture(picture, (place - 0.5) * share + 0.5).rgb, 1.0);
    } else {
        outColor = vec4(dithered(backdrop()), 1.0);
    }
}
