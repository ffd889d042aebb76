import type { ClipView, MessageView } from "./host";

/** The initial library of the fake: prompts, figures and moving pictures. */
export function exampleClip(index: number): ClipView {
  const prompts = [
    "A person walks forward, then waves with the right hand",
    "Jumps twice, then bows",
    "Sneaks forward, then runs",
    "Dances happily",
    "Kicks with the left leg, then punches with the right hand",
  ];
  return {
    id: `job-${index}.1`,
    jobId: `job-${index}`,
    variant: 1,
    variants: 1,
    prompt: prompts[index % prompts.length] ?? "",
    name: null,
    characterId: "ada",
    characterName: index % 2 ? "Bruno" : "Ada",
    frames: 90 + 30 * (index % 4),
    fps: 30,
    seed: "7",
    script: index % 2 ? "jump x2 > bow" : "walk dir:forward > wave side:right",
    madeAt: new Date(Date.now() - index * 3_600_000).toISOString(),
    formats: ["glb", "fbx", "bvh"],
    picture: { url: dancingFigure(index % 2 === 1), columns: 6, rows: 2, frames: 12, durationMs: 1500 },
    madeFrom: index === 0 ? ["job-2.1", "job-3.1"] : index === 2 ? ["job-4.1"] : [],
    change: index === 0 ? "joined" : index === 2 ? "painted" : null,
    quality: index === 3 ? null : { footSkateCmS: index === 1 ? 0.9 : 0.1, penetrationMm: 0.4, floatMm: 2, loopDeg: 3 + 8 * index },
    tags: index === 1 ? ["client", "take 2"] : index === 4 ? ["client"] : [],
    corrected: false,
    told: index === 2 ? [unknownWord("hat")] : [],
  };
}

/** The message about an unknown word. */
export function unknownWord(word: string): MessageView {
  return { code: "unknown-word", arguments: { word, nearest: [] }, text: `Limber does not know "${word}" yet and left it out.` };
}

function svg(inside: string, width: number, height: number): string {
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${inside}</svg>`;
  return `data:image/svg+xml;base64,${btoa(text)}`;
}

function body(x: number, y: number, bend: number, colour: string): string {
  return `<g transform="translate(${x} ${y})" stroke="${colour}" stroke-width="9" stroke-linecap="round" fill="none">
    <circle cx="${80 + bend}" cy="36" r="13" fill="${colour}" stroke="none"/>
    <path d="M${80 + bend * 0.8} 58 L80 92 L${68 - bend * 0.6} 138 M80 92 L${92 + bend * 0.6} 138"/>
    <path d="M${80 + bend * 0.8} 62 L${56 + bend} ${84 - bend} M${80 + bend * 0.8} 62 L${106} ${70 - bend * 1.8}"/></g>`;
}

export function figure(colour: string): string {
  return svg(body(0, 8, 0, colour), 160, 200);
}

export function dancingFigure(blue: boolean): string {
  const colour = blue ? "#8fb8ff" : "#ffb088";
  const frames = Array.from({ length: 12 }, (_, at) =>
    body((at % 6) * 160, Math.floor(at / 6) * 160, 16 * Math.sin((at / 12) * 2 * Math.PI), colour),
  );
  return svg(frames.join(""), 960, 320);
}

/** A picture that looks like a QR code and contains nothing. */
export function authenticatorPicture(): string {
  const size = 29;
  const corner = (x: number, y: number) => Math.max(Math.abs(x - 3), Math.abs(y - 3));
  const dark = (x: number, y: number): boolean => {
    const near = Math.min(corner(x, y), corner(size - 1 - x, y), corner(x, size - 1 - y));
    return near <= 4 ? near === 3 || near <= 1 : (x * 7 + y * 13 + x * y) % 5 < 2;
  };
  const cells = Array.from({ length: size * size }, (_, at) => [at % size, Math.floor(at / size)] as const);
  const marks = cells.filter(([x, y]) => dark(x, y)).map(([x, y]) => `M${x + 4} ${y + 4}h1v1h-1z`);
  return svg(`<path fill="white" d="M0 0h37v37H0z"/><path d="${marks.join("")}"/>`, 37, 37);
}
