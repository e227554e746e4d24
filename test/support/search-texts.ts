import type { ElementSource, SearchParameter } from '../../lambdas/catalog/fhir/fhir-resources.ts';

/** Reads the values of a resource that a search can find it by, from the table of search parameters and without the index. */

type Json = Readonly<Record<string, unknown>>;

/** The values at a path. A list is replaced by its elements. */
export function valuesAt(value: unknown, path: readonly string[]): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => valuesAt(each, path));
  const [name, ...rest] = path;
  if (name === undefined) return value === undefined ? [] : [value];
  return typeof value === 'object' && value !== null ? valuesAt((value as Json)[name], rest) : [];
}

/** The texts by which a query can name an element, such as a code with and without its system. */
function textsOf(element: unknown, { as, extension, type }: ElementSource): readonly string[] {
  const json = element as Json;
  switch (as) {
    case 'CodeableConcept':
      return valuesAt(json, ['coding']).flatMap((coding) => textsOf(coding, { path: '', as: 'Coding' }));
    case 'Coding':
    case 'Identifier': {
      const code = as === 'Coding' ? json.code : json.value;
      return code === undefined ? [] : [String(code), `${json.system ?? ''}|${code}`];
    }
    case 'Reference':
      return type === undefined || String(json.reference).startsWith(`${type}/`)
        ? [String(json.reference)]
        : [];
    case 'dateTime':
      if (extension === undefined) return [String(element)];
      return json.url === extension ? [String(json.valueDateTime)] : [];
    case 'Period':
      return [];
    default:
      return [String(element)];
  }
}

/** The texts by which a search for a parameter finds the resource. */
export function searchTexts(resource: object, { sources }: SearchParameter): readonly string[] {
  return sources.flatMap((source) =>
    valuesAt(resource, source.path.split('.')).flatMap((element) => textsOf(element, source)),
  );
}
