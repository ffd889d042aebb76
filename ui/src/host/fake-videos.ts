import { newJob } from "./fake-editing";
import type { Backdrop, ClipView, JobView, RenderRequest } from "./host";

function picture(width: number, height: number, inside: string): string {
  const text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">${inside}</svg>`;
  return `data:image/svg+xml;base64,${btoa(text)}`;
}

const places: [string, string, string, string][] = [
  ["studio", "Studio", "#d8dade", "#b9bcc2"],
  ["beach", "Beach", "#9fd3ef", "#ead9a8"],
  ["forest", "Forest", "#a8cfae", "#4d6b45"],
  ["night-city", "City at night", "#1d2340", "#3c4266"],
  ["desert", "Desert", "#f4d9a3", "#d39a5a"],
  ["snow", "Snow", "#cfe2f0", "#f5f8fa"],
];

export function backdrops(): Backdrop[] {
  return places.map(([id, name, sky, floor], at) => ({
    id,
    name,
    // one without a picture, as other services may have
    picture:
      at === places.length - 1
        ? null
        : picture(160, 90, `<rect width="160" height="90" fill="${sky}"/><rect y="56" width="160" height="34" fill="${floor}"/>`),
  }));
}

/** The preview of a video at this frame: a figure that turns with the camera and the frames. */
export function still(request: RenderRequest, clip: ClipView, frame: number): string {
  const { width, height, color, angleDeg, shadow } = request;
  const place = places.find(([id]) => id === request.backdrop);
  const [, , sky, floor] = place ?? ["", "", color ?? "#e4e5e8", color ?? "#e4e5e8"];
  const middle = width / 2 + (angleDeg / 90) * width * 0.15;
  const bend = Math.sin((frame / clip.frames) * 2 * Math.PI) * height * 0.08;
  const foot = height * 0.88;
  const limb = `stroke="#6d5446" stroke-width="${height * 0.05}" stroke-linecap="round" fill="none"`;
  const inside = `<rect width="${width}" height="${height}" fill="${sky}"/>
    <rect y="${height * 0.7}" width="${width}" height="${height * 0.3}" fill="${floor}"/>
    ${shadow ? `<ellipse cx="${middle}" cy="${foot}" rx="${height * 0.16}" ry="${height * 0.03}" fill="#0006"/>` : ""}
    <circle cx="${middle + bend}" cy="${height * 0.22}" r="${height * 0.07}" fill="#6d5446"/>
    <path d="M${middle + bend * 0.8} ${height * 0.32}L${middle} ${height * 0.58}L${middle - height * 0.08} ${foot}M${middle} ${height * 0.58}L${middle + height * 0.08} ${foot}" ${limb}/>
    <path d="M${middle + bend * 0.8} ${height * 0.36}L${middle + bend - height * 0.16} ${height * 0.5 - bend}M${middle + bend * 0.8} ${height * 0.36}L${middle + height * 0.16} ${height * 0.4 - bend * 2}" ${limb}/>`;
  return picture(width, height, inside);
}

/** The job of a video, without its id. */
export function videoJob(id: string, clip: ClipView): JobView {
  return newJob(id, { ...clip, variants: 1, change: "rendered", madeFrom: [clip.id] });
}
