/** Links from the operations of the reference to the workbench, with values that find something in the sandbox. */

import { type Interface, interfaceFamilies } from '../../../lambdas/catalog/interface-families.ts';
import { type AskedCall, tryAddress, tryPath } from '../../pages/sandbox/asked-call.ts';
import type { DescribedOperation } from './described-operations.ts';
import { exampleOf, examplePatientId, exampleQuery, sampleBody } from './request-sample.ts';

/** Most characters of a body in a link. The workbench has the bodies of a payer's matches, which are longer. */
const mostBody = 1000;

/** The link of an operation, as Markdown; empty for a path that is not below the base. */
export function tryLink(operation: DescribedOperation): string {
  if (operation.chapter === 'authorization') return `[Try it](${tryPath})`;
  const base = `${interfaceFamilies[operation.chapter].basePath}/`;
  // The base itself and older paths are not below it; another section has their call.
  if (!operation.path.startsWith(base)) return '';
  return `[Try it](${tryAddress(askedCall(operation, operation.chapter, base))})`;
}

function askedCall(operation: DescribedOperation, product: Interface, base: string): AskedCall {
  const { path, method, parameters } = operation;
  const below = path.slice(base.length);
  const inPath = new Map(
    parameters
      .filter(({ in: place }) => place === 'path')
      .map((each) => [each.name, exampleOf(operation, each)] as const),
  );
  const isGroup = product === 'payer-access' && below.startsWith('Group/');
  const query = new URLSearchParams(Object.fromEntries(exampleQuery(operation))).toString();
  const filled = below.replace(/\{(\w+)\}/g, (place, name: string) =>
    isGroup ? '{group}' : (inPath.get(name) ?? place),
  );
  const body = bodyText(operation);
  const asked = {
    product,
    method: method as AskedCall['method'],
    path: query === '' ? filled : `${filled}?${query}`,
    ...(body !== '' && body.length <= mostBody && { body }),
  };
  const patient = examplePatientId(product);
  if (patient === undefined) return asked;
  // The member who signs in may be another one.
  const ofMember = (text: string) => text.replaceAll(patient, '{patient}');
  return { ...asked, path: ofMember(asked.path), ...('body' in asked && { body: ofMember(asked.body) }) };
}

function bodyText(operation: DescribedOperation): string {
  const { type, value } = sampleBody(operation) ?? {};
  if (value === undefined) return '';
  return type === 'application/x-www-form-urlencoded'
    ? new URLSearchParams(value as Record<string, string>).toString()
    : JSON.stringify(value, null, 2);
}
