/** Encodes FHIR resources as DynamoDB attributes and decodes them. */

import { hash } from 'node:crypto';
import type * as Zlib from 'node:zlib';
import { longestResource } from '../../catalog/fhir/fhir-resources.ts';
import * as s from '../../platform/kernel/shapes.ts';

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

/** Bytes of the renditions, at most; keys need the rest of an item's 400 KB. */
const longestPatientText = 384 * 1024;

/** Values of a search are a kilobyte or two, and every search reads all of a type: only unusual ones are worth gzip. */
const longestValuesText = 32 * 1024;

/** The highest level: it takes no measurable time more, and is slightly smaller. */
const level = 9;

/** The attributes of renditions in a stored item: text, or gzip of it. */
export type StoredForm =
  | { readonly json: string; readonly fhirJson?: string | undefined; readonly gz?: undefined }
  | { readonly gz: Uint8Array; readonly fhirGz?: Uint8Array | undefined };

/** The same attributes, as they are read; a stored item has more. */
const storedForm = s.either(
  s.object({ json: s.text, fhirJson: s.maybe(s.text) }),
  s.object({ gz: s.bytes, fhirGz: s.maybe(s.bytes) }),
);

/** Encodes a resource; a Patient as text as far as an item can hold it: most reads send one, and the first release read no other form. */
export function encodeResource(resource: Renditions & { readonly resourceType: string }): StoredForm {
  const { json, fhirJson } = resource;
  const textBytes = Buffer.byteLength(json) + Buffer.byteLength(fhirJson ?? '');
  if (textBytes <= (resource.resourceType === 'Patient' ? longestPatientText : longestText)) {
    return { json, ...(fhirJson === undefined ? {} : { fhirJson }) };
  }
  return { gz: gzip(json), ...(fhirJson === undefined ? {} : { fhirGz: gzip(fhirJson) }) };
}

/** @throws where the item has neither, or bytes are no gzip or hold more than a resource may be long: the item is damaged. */
export function decodeResource(item: object): Renditions {
  const form: StoredForm = s.parse(storedForm, item);
  if (form.gz === undefined) return { json: form.json, fhirJson: form.fhirJson };
  return { json: gunzip(form.gz), fhirJson: form.fhirGz && gunzip(form.fhirGz) };
}

/** The attribute of an entry that holds what a search can ask of a resource (`SearchValues`, serialized), where the index can't: text, or gzip of it. */
const storedValues = s.either(s.object({ values: s.text }), s.object({ gzValues: s.bytes }));
export type StoredValues =
  | { readonly values: string; readonly gzValues?: undefined }
  | { readonly gzValues: Uint8Array };

export function encodeValues(values: string): StoredValues {
  return Buffer.byteLength(values) <= longestValuesText ? { values } : { gzValues: gzip(values) };
}

/** @throws where the item has neither, or bytes are no gzip or hold more than a resource may be long: the item is damaged. */
export function decodeValues(item: object): string {
  const form: StoredValues = s.parse(storedValues, item);
  return form.gzValues === undefined ? form.values : gunzip(form.gzValues);
}

/** Tells serialized values from others: most entries have this instead of them. */
export function digestOfValues(values: string): string {
  return hash('sha256', values, 'base64url').slice(0, 16);
}

function gzip(text: string): Uint8Array {
  return zlib().gzipSync(text, { level });
}

function gunzip(bytes: Uint8Array): string {
  return zlib().gunzipSync(bytes, { maxOutputLength: longestResource }).toString();
}

/** Loaded as needed: a cold start that reads a Patient does not load it. */
function zlib(): typeof Zlib {
  return process.getBuiltinModule('node:zlib');
}
