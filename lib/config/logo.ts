/** Reads and checks the plan's logo. */

import type { PlanLogo } from '../../lambdas/catalog/plan-brand.ts';

/** A logo that is refused, with what was expected. */
export interface LogoProblem {
  readonly expected: string;
}

/** Most bytes of the file: it is part of every members' page. */
const mostBytes = 16_384;
/** Height in CSS pixels at which pages show the logo. */
const shownHeight = 40;
/** Most width of the logo as a multiple of its height, so that it fits a phone of 320 pixels. */
const widest = 6;

/**
 * Parts that a picture does not need and a page must not contain: scripts, events, entities, other documents and addresses. Browsers run no
 * script of an image, but the file may be opened by itself.
 */
const refusedParts: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a script', /<\s*(?:\w+:)?script\b/i],
  ['an event handler', /\son\w+\s*=/i],
  ['foreign content', /<\s*(?:\w+:)?(?:foreignObject|iframe|embed|object)\b/i],
  ['a document type or entity', /<!(?:DOCTYPE|ENTITY)/i],
  ['an address outside the file', /(?:href|src)\s*=\s*["']\s*(?!#)|url\(\s*["']?(?!#)|@import/i],
];

/**
 * Reads a logo.
 *
 * @param name of the file; its ending says the type.
 * @returns the logo at the size of members' pages, or what is wrong with it.
 */
export function readLogo(name: string, content: Uint8Array): PlanLogo | LogoProblem {
  const type = typeOf(name);
  if (type === undefined) return { expected: `expected a file that ends in .svg or .png, got ${name}` };
  if (content.byteLength > mostBytes)
    return { expected: `expected at most ${mostBytes} bytes, and ${name} has ${content.byteLength}` };
  const bytes = Buffer.from(content);
  const size = type === 'image/png' ? pngSize(bytes) : svgSize(bytes.toString('utf8'));
  if ('expected' in size) return { expected: `${size.expected}, in ${name}` };
  const ratio = size.width / size.height;
  if (ratio > widest || ratio < 0.5)
    return {
      expected: `expected a width of 0.5 to ${widest} times the height, and ${name} has ${ratio.toFixed(1)}`,
    };
  return {
    type,
    base64: bytes.toString('base64'),
    width: Math.round(shownHeight * ratio),
    height: shownHeight,
  };
}

function typeOf(name: string): PlanLogo['type'] | undefined {
  if (/\.svg$/i.test(name)) return 'image/svg+xml';
  return /\.png$/i.test(name) ? 'image/png' : undefined;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Reads width and height of the header chunk (PNG specification, section 11.2.2). */
function pngSize(bytes: Buffer): Size | LogoProblem {
  const isPng = bytes.subarray(0, 8).toString('hex') === '89504e470d0a1a0a' && bytes.byteLength >= 24;
  const size = isPng && { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  return size && size.width > 0 && size.height > 0 ? size : { expected: 'expected a PNG image' };
}

function svgSize(text: string): Size | LogoProblem {
  const [, attributes] =
    /^(?:\uFEFF?\s*<\?xml[^>]*\?>)?(?:\s|<!--[\s\S]*?-->)*<svg\b([^>]*)>/.exec(text) ?? [];
  if (attributes === undefined) return { expected: 'expected an SVG image' };
  const refused = refusedParts.find(([, pattern]) => pattern.test(text));
  if (refused !== undefined) return { expected: `expected an SVG image without ${refused[0]}` };
  const box = /\bviewBox\s*=\s*["']\s*[-\d.]+[\s,]+[-\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)\s*["']/.exec(
    attributes,
  );
  const [width, height] = [Number(box?.[1]), Number(box?.[2])];
  return width > 0 && height > 0 ? { width, height } : { expected: 'expected an SVG image with a viewBox' };
}
