/**
 * The manifest of a drop (`manifest.json`): its schema, its key in the bucket, and the checks of its file list. `load-steps.ts` checks the
 * files, `rows.ts` the rows.
 */

import * as z from 'zod/mini';
import { issueMessage } from '../../catalog/fhir/issue-message.ts';
import {
  type LineOfBusiness,
  lineOfBusinessCodes,
  linesOfBusiness,
  parseLineOfBusiness,
} from '../../catalog/lines-of-business.ts';
import { jsonValue } from '../../platform/kernel/json-members.ts';
import { type LoadProduct, loadProducts } from './load-products.ts';

/** Name of the manifest's file. It is uploaded last: its arrival starts the load. */
export const manifestName = 'manifest.json';

/** Name of the file beside the manifest that reports on the load. */
export const reportName = 'report.json';

/** `full`: all rows of the source. `delta`: changed rows. Neither removes resources that it does not contain: withdrawals are rows. */
export const dropKinds = ['full', 'delta'] as const;
export type DropKind = (typeof dropKinds)[number];

/** A folder name in an object key: of a source or a drop. */
const folderName = z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,39}$/));

const fileEntry = z.strictObject({
  /** File name in the drop's folder. */
  name: z.string().check(
    z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.ndjson$/, {
      error: 'a file name without a folder that ends in .ndjson',
    }),
  ),
  /** The resource type of its rows; `Parameters` for withdrawals, moves and merges. */
  type: z.string(),
  /** Control total: number of lines that are not blank. */
  rows: z.int().check(z.nonnegative()),
  /** SHA-256 of the file's bytes, in hex. */
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
});

/** `manifest.json` of a drop. */
export const dropManifest = z.strictObject({
  lob: z.enum(lineOfBusinessCodes),
  source: folderName,
  kind: z.enum(dropKinds),
  /**
   * Product of the drop.
   *
   * @default members
   */
  product: z.optional(z.enum(loadProducts)),
  /** Time the extract was made, ISO 8601. */
  createdAt: z.iso.datetime({ offset: true }),
  /** Highest percentage of rejected rows. The LOB's configuration is an upper limit. */
  toleratedFailurePercent: z.optional(z.number().check(z.minimum(0), z.maximum(100))),
  files: z.array(fileEntry).check(
    z.minLength(1),
    z.maxLength(500),
    z.refine((files) => new Set(files.map(({ name }) => name)).size === files.length, {
      error: 'each file once',
    }),
  ),
});
export type DropManifest = z.infer<typeof dropManifest>;

/** The folder of a drop, `<LOB>/<source>/<drop>/` in the ingest bucket, and its parts. */
export interface DropPlace {
  readonly lob: LineOfBusiness;
  readonly source: string;
  readonly drop: string;
  /** The whole folder, with a trailing slash. */
  readonly folder: string;
}

/** Parses the key of a manifest; undefined for any other key. */
export function dropPlace(key: string): DropPlace | undefined {
  const [code = '', source, drop, name, ...more] = key.split('/');
  const lob = parseLineOfBusiness(code);
  const isPlace = lob === code && name === manifestName && more.length === 0;
  if (!isPlace || !folderName.safeParse(source).success || !folderName.safeParse(drop).success) {
    return undefined;
  }
  return { lob, source: source ?? '', drop: drop ?? '', folder: `${code}/${source}/${drop}/` };
}

/**
 * The files in a drop's folder that its manifest does not name; they are not loaded.
 *
 * @param keys of the folder's objects. Files that a load writes there are left out.
 */
export function unnamedFiles(
  folder: string,
  { files }: Pick<DropManifest, 'files'>,
  keys: readonly string[],
): readonly string[] {
  const known = new Set([manifestName, reportName, ...files.map(({ name }) => name)]);
  return keys
    .map((key) => key.slice(folder.length))
    .filter((name) => !known.has(name) && !name.startsWith('report/'));
}

/**
 * The ID of the load that a version of a manifest starts. The uploader can compute it from S3's response.
 *
 * @param sha256 SHA-256 of a text, in hex.
 */
export function loadIdOf(
  { drop, folder }: DropPlace,
  manifestVersion: string,
  sha256: (text: string) => string,
): string {
  return `${drop}.${sha256(`${folder}${manifestName} ${manifestVersion}`).slice(0, 8)}`;
}

export type ManifestReading =
  | { readonly kind: 'manifest'; readonly manifest: DropManifest }
  | {
      readonly kind: 'refused';
      readonly issues: readonly { readonly path: string; readonly message: string }[];
    };

/** Parses a manifest. It is refused if its LOB or source differs from its folder. */
export function readManifest(text: string, place: DropPlace): ManifestReading {
  const value = jsonValue(text.replace(/^\uFEFF/, ''));
  if (value === undefined) return refused([{ path: '', message: 'expected: JSON in UTF-8' }]);
  const parsed = dropManifest.safeParse(value);
  if (!parsed.success) {
    return refused(
      parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issueMessage(issue) })),
    );
  }
  const issues = [
    ...(['lob', 'source'] as const)
      .filter((name) => parsed.data[name] !== place[name])
      .map((name) => ({ path: name, message: `expected: ${place[name]}, as in the name of the folder` })),
    ...productIssues(parsed.data),
  ];
  return issues.length > 0 ? refused(issues) : { kind: 'manifest', manifest: parsed.data };
}

/** The product of a drop's rows. */
export function productOf({ product = 'members' }: Pick<DropManifest, 'product'>): LoadProduct {
  return product;
}

/** The issue of a directory drop for a line of business without a directory. Files of a wrong type are refused one by one later. */
function productIssues(
  manifest: DropManifest,
): readonly { readonly path: string; readonly message: string }[] {
  const product = productOf(manifest);
  if (product === 'directory' && !linesOfBusiness[manifest.lob].providerDirectory) {
    return [{ path: 'product', message: `expected: members, because ${manifest.lob} has no directory` }];
  }
  return [];
}

function refused(issues: Extract<ManifestReading, { kind: 'refused' }>['issues']): ManifestReading {
  return { kind: 'refused', issues };
}
