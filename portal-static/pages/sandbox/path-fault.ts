/** The check of a path that a developer typed. Pure. */

/** Says what is wrong with a typed path; undefined where it can be sent. */
export function pathFault(path: string): string | undefined {
  if (path.trim() === '') return 'Enter a path, like Coverage or Patient/123.';
  if (/^[a-z][a-z0-9+.-]*:/i.test(path.trim()) || path.trim().startsWith('//')) {
    return 'Enter the path below the base only, without the host.';
  }
  const [place] = /\{\w+\}/.exec(path) ?? [];
  if (place !== undefined) return `Replace ${place} by an ID. An earlier response has it.`;
  return /^\/?(?:[A-Z][A-Za-z]+|fhir\/|metadata|jobs\/|public\/|\$|\.well-known\/)/.test(path.trim())
    ? undefined
    : 'Begin with a resource type, like Coverage, or with metadata.';
}
