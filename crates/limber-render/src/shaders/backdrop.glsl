// The backdrop behind everything, in sRGB, as a function of the position in the image.
uniform vec3 backdropTop;
uniform vec3 backdropBottom;
uniform float vignette;
uniform vec4 pictureFrame; // x, y, width, height in pixels

vec3 backdrop() {
    vec2 place = (gl_FragCoord.xy - pictureFrame.xy) / pictureFrame.zw;
    vec3 color = mix(backdropBottom, backdropTop, smoothstep(0.0, 1.0, place.y));
    vec2 off = (place - vec2(0.5, 0.5)) * 2.0;
    return color * (1.0 - vignette * smoothstep(0.3, 1.9, dot(off, off)));
}
