import type * as Zlib from 'node:zlib';
import * as z from 'zod/mini';
import { longestResource } from '../catalog/fhir-resources.ts';

/** A resource's renditions as they are sent. */
interface Renditions {
  readonly json: string;
  readonly fhirJson?: string | undefined;
}

/**
 * Up to these bytes (both renditions, UTF-8) a resource is stored as text: with its keys it then fills one read unit, and gzip
 * would only make the read work. Above, gzip saves units (docs/access-patterns.md has the figures).
 */
const longestText = 3_840;

/** At no cost over a lower level that could be measured, and a hair smaller. */
const level = 9;

/** The attributes of renditions in a stored item: text, or gzip of it. */
export type StoredForm =
  | { readonly json: string; readonly fhirJson?: string | undefined }
  | { readonly gz: Uint8Array; readonly fhirGz?: Uint8Array | undefined };

/** What `decodeResource` reads; a stored item has more attributes. */
export const storedForm = z.union([
  z.object({ json: z.string(), fhirJson: z.optional(z.string()) }),
  z.object({ gz: z.instanceof(Uint8Array), fhirGz: z.optional(z.instanceof(Uint8Array)) }),
]);

/** Of a Patient always text: most reads send one, and the releases before this one read no other form. */
export function encodeResource(resource: Renditions & { readonly resourceType: string }): StoredForm {
  const { json, fhirJson } = resource;
  const textBytes = Buffer.byteLength(json) + Buffer.byteLength(fhirJson ?? '');
  if (textBytes <= longestText || resource.resourceType === 'Patient') {
    return { json, ...(fhirJson === undefined ? {} : { fhirJson }) };
  }
  return { gz: gzip(json), ...(fhirJson === undefined ? {} : { fhirGz: gzip(fhirJson) }) };
}

/** @throws where bytes are no gzip, or hold more than a resource may be long: the item is damaged. */
export function decodeResource(form: StoredForm): Renditions {
  if ('json' in form) return { json: form.json, fhirJson: form.fhirJson };
  return { json: gunzip(form.gz), fhirJson: form.fhirGz && gunzip(form.fhirGz) };
}

function gzip(text: string): Uint8Array {
  return zlib().gzipSync(text, { level });
}

function gunzip(bytes: Uint8Array): string {
  return zlib().gunzipSync(bytes, { maxOutputLength: longestResource }).toString();
}

/** Loaded as needed: a cold start that reads a Patient doesn't pay for it. */
function zlib(): typeof Zlib {
  return process.getBuiltinModule('node:zlib');
}
