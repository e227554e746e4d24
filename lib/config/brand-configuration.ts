/** Schema of the plan's brand, and its checks: contrast of the colors, size and content of the logo. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { PlanBrand } from '../../lambdas/catalog/plan-brand.ts';
import { ConfigurationError, parseFile, wrongField } from './common-fields.ts';
import { contrast, leastContrast } from './contrast.ts';
import { type LogoProblem, readLogo } from './logo.ts';

const color = z.string().regex(/^#[0-9a-f]{6}$/i, 'expected a color as #rrggbb');
const colors = z.strictObject({
  /** Buttons, links, and the line at the top of a page. */
  action: color,
  /** Text on a button. */
  onAction: color,
});

/** Backgrounds that links stand on, by color scheme: `lambdas/authorization/pages/style.ts` and `portal-static/styles/uswds.scss`. */
export const pageSurfaces = {
  light: ['#ffffff', '#f1f4f6', '#fff4e0', '#fdecea', '#e8f5ec'],
  dark: ['#18212a', '#0f161c', '#33260f', '#3a1a18', '#12301d', '#1c1d1f', '#2d2e2f'],
} as const;

const values = z
  .strictObject({
    /** The plan's name as members know it, in one line of a phone. */
    name: z
      .string()
      .trim()
      .min(2)
      .max(40, 'expected a name of at most 40 characters')
      .regex(/^[^\p{C}]*$/u, 'expected a name without control characters'),
    /** File in `lib/config`, SVG or PNG. @default the name as text */
    logo: z.string().min(1).optional(),
    colors: z.strictObject({ light: colors, dark: colors }),
  })
  .check(({ value, issues }) => {
    for (const scheme of ['light', 'dark'] as const) {
      const { action, onAction } = value.colors[scheme];
      const pairs = [
        ['onAction', onAction, action] as const,
        ...pageSurfaces[scheme].map((surface) => ['action', action, surface] as const),
      ];
      const found = pairs.find(([, text, ground]) => contrast(text, ground) < leastContrast);
      if (found === undefined) continue;
      const [field, text, ground] = found;
      const ratio = (Math.floor(contrast(text, ground) * 100) / 100).toFixed(2);
      const expected = `expected a contrast of at least ${leastContrast}:1 with ${ground}, on which it stands; ${text} has ${ratio}:1. Choose a ${scheme === 'light' && field === 'action' ? 'darker' : 'different'} color`;
      issues.push(wrongField(['colors', scheme, field], expected, text));
    }
  });

export type BrandInput = Readonly<z.input<typeof values>>;

const folder = import.meta.dirname;
const file = 'lib/config/brand.ts';

/**
 * Checks the plan's brand.
 *
 * @param read reads the logo, a file of this folder.
 * @throws ConfigurationError
 */
export function parseBrand(
  input: BrandInput,
  read: (name: string) => Uint8Array = (name) => readFileSync(join(folder, name)),
): PlanBrand {
  const { name, colors: both, logo: logoFile } = parseFile(values, file, input);
  if (logoFile === undefined) return { name, colors: both };
  const logo = readLogo(logoFile, contentOf(logoFile, read));
  if ('expected' in logo) throw invalidLogo(logo);
  return { name, colors: both, logo };
}

function contentOf(name: string, read: (name: string) => Uint8Array): Uint8Array {
  try {
    return read(name);
  } catch {
    throw invalidLogo({ expected: `expected a file in lib/config, and ${name} cannot be read` });
  }
}

function invalidLogo({ expected }: LogoProblem): ConfigurationError {
  return new ConfigurationError(`${file} is invalid:\n  logo: ${expected}`);
}
