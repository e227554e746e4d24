/** Reads the parameters of FHIR searches and operations from the URL and the body. */

import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { FhirRefusal } from '../../catalog/fhir/fhir-refusals.ts';
import { searchBounds } from '../../catalog/fhir/fhir-resources.ts';
import { bodyText, contentTypeOf, formParameters, type ParameterMap, queryParameters } from './parameters.ts';
import { parametersOfResource } from './parameters-resource.ts';

type Pairs = readonly (readonly [name: string, value: string])[];

type BodyRefusal = Extract<
  FhirRefusal,
  'unsupported-media-type' | 'form-too-long' | 'form-malformed' | 'parameters-malformed'
>;

export type FhirParameters =
  | {
      readonly kind: 'parameters';
      /** Decoded parameters in the order sent; those of the URL come first. */
      readonly parameters: Pairs;
    }
  | { readonly kind: 'refusal'; readonly refusal: BodyRefusal };

interface BodyReader {
  /**
   * Parses a body.
   *
   * @returns undefined if it is malformed.
   */
  readonly read: (text: string) => Pairs | undefined;
  readonly malformed: BodyRefusal;
}

/** Reads the parameters of a search from a form (R4, http.html#search). */
const form: BodyReader = {
  read: (text) => {
    const parameters = formParameters(text);
    return parameters && pairs(parameters);
  },
  malformed: 'form-malformed',
};
const resource: BodyReader = { read: parametersOfResource, malformed: 'parameters-malformed' };

/** Readers of a POST's body, by the purpose of the POST and the media type. */
const bodies: Readonly<Record<'search' | 'operation', Readonly<Record<string, BodyReader>>>> = {
  search: { 'application/x-www-form-urlencoded': form },
  operation: {
    'application/fhir+json': resource,
    'application/json': resource,
    'application/x-www-form-urlencoded': form,
  },
};

/**
 * Reads the parameters of a search or an operation from the URL and, for a POST, from the body too.
 *
 * @param most maximum bytes of the body
 */
export function fhirParameters(
  event: APIGatewayProxyEvent,
  purpose: 'search' | 'operation' = 'search',
  most: number = searchBounds.formBytes,
): FhirParameters {
  const parameters = pairs(queryParameters(event));
  const body = event.body ?? '';
  if (event.httpMethod !== 'POST' || body === '') return { kind: 'parameters', parameters };
  const type = contentTypeOf(event);
  const reader = Object.hasOwn(bodies[purpose], type) ? bodies[purpose][type] : undefined;
  if (reader === undefined) return { kind: 'refusal', refusal: 'unsupported-media-type' };
  if (Buffer.byteLength(body, event.isBase64Encoded ? 'base64' : 'utf8') > most) {
    return { kind: 'refusal', refusal: 'form-too-long' };
  }
  const text = bodyText(event, most);
  const read = text === undefined ? undefined : reader.read(text);
  if (read === undefined) return { kind: 'refusal', refusal: reader.malformed };
  return { kind: 'parameters', parameters: [...parameters, ...read] };
}

function pairs(map: ParameterMap): (readonly [string, string])[] {
  return [...map].flatMap(([name, values]) => values.map((value) => [name, value] as const));
}
