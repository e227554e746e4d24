/** The two media types of a resource (docs/architecture.md, "How data is read and searched"). */
export type MediaType = 'application/json' | 'application/fhir+json';

/**
 * Media types by the names that a client may send: the type itself, the short names of FHIR's `_format`, and names that older clients send.
 */
const spellings: Readonly<Record<string, MediaType>> = {
  'application/json': 'application/json',
  'text/json': 'application/json',
  json: 'application/json',
  'application/fhir+json': 'application/fhir+json',
  'application/json+fhir': 'application/fhir+json',
};

interface Range {
  readonly type: string;
  readonly quality: number;
  /** `fhirVersion` parameter (R4, http.html#version-parameter). */
  readonly fhirVersion: string | undefined;
}

/**
 * Chooses the media type of a response, by `_format` if sent, else by `Accept` (RFC 9110 section 12.5.1; R4, http.html#mime-type).
 * `application/json` if the client has no preference.
 *
 * @returns undefined if the client accepts neither type.
 */
export function negotiate(
  accept: string | undefined,
  format: string | undefined,
  preferred: MediaType = 'application/json',
): MediaType | undefined {
  // URL decoding may have turned the `+` of `fhir+json` into a space.
  if (format !== undefined && format !== '') return select([rangeOf(format.replaceAll(' ', '+'))], preferred);
  // Ignores empty elements of the list (RFC 9110 section 5.6.1.2).
  const listed = (accept ?? '').split(',').filter((element) => element.trim() !== '');
  return listed.length === 0 ? preferred : select(listed.map(rangeOf), preferred);
}

/** The highest quality that `Accept` gives one of these types by its full name or by its major type (`image/*`); 0 if it gives none. */
export function namedQuality(accept: string | undefined, ...types: readonly string[]): number {
  const ranges = (accept ?? '').split(',').map(rangeOf);
  const names = types.flatMap((type) => [type, `${type.split('/', 1)[0]}/*`]);
  return Math.max(0, ...ranges.filter(({ type }) => names.includes(type)).map(({ quality }) => quality));
}

function select(ranges: readonly Range[], preferred: MediaType): MediaType | undefined {
  const candidates: readonly MediaType[] =
    preferred === 'application/json'
      ? ['application/json', 'application/fhir+json']
      : ['application/fhir+json', 'application/json'];
  let best: { readonly type: MediaType; readonly quality: number } | undefined;
  for (const type of candidates) {
    const quality = qualityOf(type, ranges);
    if (quality > (best?.quality ?? 0)) best = { type, quality };
  }
  return best?.type;
}

/** The most specific range that covers the type decides (RFC 9110 section 12.5.1). */
function qualityOf(type: MediaType, ranges: readonly Range[]): number {
  const usable = ranges.filter((range) => range.fhirVersion === undefined || range.fhirVersion === '4.0');
  const exact = usable.filter((range) => spellings[range.type] === type);
  const some = usable.filter((range) => range.type === 'application/*');
  const any = usable.filter((range) => range.type === '*/*' || range.type === '*');
  for (const covering of [exact, some, any]) {
    if (covering.length > 0) return Math.max(...covering.map((range) => range.quality));
  }
  return 0;
}

function rangeOf(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const value = (name: string) =>
    parameters.find((parameter) => parameter.startsWith(`${name}=`))?.slice(name.length + 1);
  const quality = Number(value('q') ?? 1);
  return {
    type,
    quality: quality >= 0 && quality <= 1 ? quality : 0,
    fhirVersion: value('fhirversion')?.replaceAll('"', ''),
  };
}
