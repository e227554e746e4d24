/** Encodes FHIR resources and search values as DynamoDB attributes, and decodes them. */

import { hash } from 'node:crypto';
import type * as Zlib from 'node:zlib';
import { longestResource } from '../../catalog/fhir/fhir-resources.ts';
import * as s from '../../platform/kernel/shapes.ts';

/** The serialized forms of a resource, one for each media type, as they are sent. */
interface Renditions {
  readonly json: string;
  readonly fhirJson?: string | undefined;
}

/**
 * Most bytes (both renditions, UTF-8) of a resource that is stored as text: with its keys it then fills one read unit, and gzip would only
 * cost time. Larger resources save read units by gzip (docs/access-patterns.md has the figures).
 */
const longestText = 3_840;

/** Most bytes of a Patient that is stored as text; the keys need the rest of an item's 400 KB. */
const longestPatientText = 384 * 1024;

/** Most bytes of search values that are stored as text. They usually have a kilobyte or two, and gzip would slow down every search. */
const longestValuesText = 32 * 1024;

/** gzip's highest level: it takes no measurable extra time, and is slightly smaller. */
const level = 9;

/** The attributes of a resource's renditions in a stored item: text, or gzip of the text. */
export type StoredForm =
  | { readonly json: string; readonly fhirJson?: string | undefined; readonly gz?: undefined }
  | { readonly gz: Uint8Array; readonly fhirGz?: Uint8Array | undefined };

/** Shape of the same attributes, for parsing; a stored item has further attributes. */
const storedForm = s.either(
  s.object({ json: s.text, fhirJson: s.maybe(s.text) }),
  s.object({ gz: s.bytes, fhirGz: s.maybe(s.bytes) }),
);

/**
 * Encodes a resource. A Patient stays text as long as it fits into an item: most reads return one, and the first release could read only
 * text.
 */
export function encodeResource(resource: Renditions & { readonly resourceType: string }): StoredForm {
  const { json, fhirJson } = resource;
  const textBytes = Buffer.byteLength(json) + Buffer.byteLength(fhirJson ?? '');
  if (textBytes <= (resource.resourceType === 'Patient' ? longestPatientText : longestText)) {
    return { json, ...(fhirJson === undefined ? {} : { fhirJson }) };
  }
  return { gz: gzip(json), ...(fhirJson === undefined ? {} : { fhirGz: gzip(fhirJson) }) };
}

/**
 * Decodes a resource.
 *
 * @throws if the item is damaged: it has neither text nor gzip, or the gzip is invalid or expands beyond the largest resource.
 */
export function decodeResource(item: object): Renditions {
  const form: StoredForm = s.parse(storedForm, item);
  if (form.gz === undefined) return { json: form.json, fhirJson: form.fhirJson };
  return { json: gunzip(form.gz), fhirJson: form.fhirGz && gunzip(form.fhirGz) };
}

/** The attribute of an entry with a resource's serialized `SearchValues`, as text or gzip; present if they are too long for the index. */
const storedValues = s.either(s.object({ values: s.text }), s.object({ gzValues: s.bytes }));
export type StoredValues =
  | { readonly values: string; readonly gzValues?: undefined }
  | { readonly gzValues: Uint8Array };

export function encodeValues(values: string): StoredValues {
  return Buffer.byteLength(values) <= longestValuesText ? { values } : { gzValues: gzip(values) };
}

/**
 * Decodes search values.
 *
 * @throws if the item is damaged: it has neither text nor gzip, or the gzip is invalid or expands beyond the largest resource.
 */
export function decodeValues(item: object): string {
  const form: StoredValues = s.parse(storedValues, item);
  return form.gzValues === undefined ? form.values : gunzip(form.gzValues);
}

/** A digest by which a load sees whether search values changed, since most entries don't hold the values themselves. */
export function digestOfValues(values: string): string {
  return hash('sha256', values, 'base64url').slice(0, 16);
}

function gzip(text: string): Uint8Array {
  return zlib().gzipSync(text, { level });
}

function gunzip(bytes: Uint8Array): string {
  return zlib().gunzipSync(bytes, { maxOutputLength: longestResource }).toString();
}

/** Loads zlib when it is first used, so that a cold start that reads a Patient doesn't wait for it. */
function zlib(): typeof Zlib {
  return process.getBuiltinModule('node:zlib');
}
