/** Headers in an event of API Gateway: `headers` has the last value of each header, `multiValueHeaders` all values. */
export interface HeaderEvent {
  readonly headers?: Readonly<Record<string, string | undefined>> | null;
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[] | undefined>> | null;
}

/**
 * All values that a request has for a header. Names in the event are case-insensitive, and one header may appear in several spellings.
 *
 * @param name in lowercase
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
 */
export function headerValues({ headers, multiValueHeaders }: HeaderEvent, name: string): readonly string[] {
  const isNamed = ([key]: readonly [string, unknown]) => key.toLowerCase() === name;
  const all = Object.entries(multiValueHeaders ?? {}).filter(isNamed);
  if (all.length > 0) return all.flatMap(([, values]) => values ?? []);
  return Object.entries(headers ?? {})
    .filter(isNamed)
    .flatMap(([, value]) => value ?? []);
}
