/**
 * `node bin/fhir-definitions.ts --packages FOLDER`: generates `lambdas/fhir/validation/definitions.json`, by which loaded rows are
 * validated, from the official FHIR definitions.
 *
 * FOLDER holds FHIR packages as gzipped JSON (`<package>#<version>.json.gz`, with a list `resources`): hl7.fhir.r4.core 4.0.1 and the
 * guides of the served profiles. The output has only what validation needs: elements, cardinalities, types, the codes of required value
 * sets, and what a profile adds to its type. It leaves out value sets of code systems that the packages do not contain (SNOMED CT, LOINC).
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { directoryResources } from '../lambdas/catalog/fhir/directory-resources.ts';
import { patientAccessTypes, servedResource } from '../lambdas/catalog/fhir/fhir-resources.ts';
import type {
  Definitions,
  ProfileNode,
  ProfileSlice,
  SliceTest,
} from '../lambdas/fhir/validation/definitions.ts';
import {
  corePackage,
  type Element,
  type ElementNode,
  readPackages,
  type Structure,
  treeOf,
} from './fhir-packages.ts';
import { createValueSetNames } from './fhir-value-sets.ts';

const { values } = parseArgs({ options: { packages: { type: 'string' } } });
if (values.packages === undefined) throw new Error('name the folder of the packages with --packages');
const fhirPathString = 'http://hl7.org/fhirpath/System.String';

const packages = readPackages(values.packages);

const valueSets = createValueSetNames(packages);

// Types of R4.

const types: Record<string, Record<string, string>> = {};
const resourceTypes: string[] = [];
const inherited = new Set([
  'id',
  'meta',
  'implicitRules',
  'language',
  'text',
  'contained',
  'extension',
  'modifierExtension',
]);

function typeText({ code, targetProfile = [] }: NonNullable<Element['type']>[number], name: string): string {
  if (code === fhirPathString) return name === 'url' ? 'uri' : 'string';
  if (code !== 'Reference') return code;
  const targets = targetProfile.map((url) => url.slice(url.lastIndexOf('/') + 1));
  return targets.length === 0 || targets.includes('Resource') ? code : `${code}(${targets.join(',')})`;
}

function elementText({ element }: ElementNode, name: string, backbone: string): string {
  const { min = 0, max = '1', type = [], contentReference, binding } = element;
  const isBackbone = type.some(({ code }) => code === 'BackboneElement' || code === 'Element');
  const of = isBackbone
    ? [backbone]
    : (contentReference?.split('#').slice(-1) ?? type.map((each) => typeText(each, name)));
  const isCoded = binding?.strength === 'required' && binding.valueSet !== undefined;
  const codes = isCoded ? valueSets.nameOf(binding.valueSet ?? '', corePackage) : undefined;
  return `${min}..${max} ${of.join(' ')}${codes === undefined ? '' : ` =${codes}`}`;
}

function addType(path: string, node: ElementNode, isResource: boolean): void {
  const own: Record<string, string> = {};
  types[path] = own;
  const isDomain = isResource && node.children.has('text');
  if (isResource) resourceTypes.push(isDomain ? path : `${path}*`);
  for (const [name, child] of node.children) {
    const isInherited = isResource ? inherited.has(name) : name === 'id' || name === 'extension';
    const isBackboneExtension = path.includes('.') && name === 'modifierExtension';
    if (isInherited || isBackboneExtension) continue;
    own[name] = elementText(child, name, `${path}.${name}`);
    if (child.children.size > 0) addType(`${path}.${name}`, child, false);
  }
}

for (const structure of packages.resources as readonly Structure[]) {
  const isType =
    structure.pkg === corePackage &&
    structure.resourceType === 'StructureDefinition' &&
    structure.derivation !== 'constraint' &&
    !structure.abstract &&
    (structure.kind === 'resource' || structure.kind === 'complex-type');
  if (isType) addType(structure.type, treeOf(structure), structure.kind === 'resource');
}
for (const type of ['BackboneElement', 'Element']) delete types[type];

// Profiles: the constraints that each adds to its type.

const extensions: Record<string, ProfileNode> = {};

function constantOf(element: Element, prefix: 'fixed' | 'pattern'): unknown {
  const name = Object.keys(element).find(
    (each) => each.startsWith(prefix) && /[A-Z]/.test(each.charAt(prefix.length)),
  );
  return name === undefined ? undefined : element[name];
}

/**
 * Lists the constraints that a profile's element adds to its type.
 *
 * @param base the type's definition of the element, e.g. `0..* Extension`.
 */
function constraints(
  node: ElementNode,
  base: string | undefined,
  type: string | undefined,
  pkg: string,
): ProfileNode {
  const { element } = node;
  const [cardinality = '0..*', ...baseTypes] = (base ?? '0..*').split(' ');
  const [baseMin = '0', baseMax = '*'] = cardinality.split('..');
  const { min = 0, max, binding } = element;
  const codes = element.type?.map(({ code }) => code) ?? [];
  const isChoice = baseTypes.filter((each) => !each.startsWith('=')).length > 1;
  const fixed = constantOf(element, 'fixed');
  const pattern = constantOf(element, 'pattern');
  const valueSet =
    binding?.strength === 'required' && binding.valueSet !== undefined
      ? valueSets.nameOf(binding.valueSet, pkg)
      : undefined;
  const children = childrenOf(node, type, pkg);
  const slices = slicesOf(node, base, type, pkg);
  const extension = element.type?.find(({ code }) => code === 'Extension')?.profile?.[0];
  const profile = extension === undefined ? undefined : extensionNamed(extension, pkg);
  const mostTypes =
    isChoice && codes.length < baseTypes.filter((each) => !each.startsWith('=')).length ? codes : undefined;
  return {
    ...(min > Number(baseMin) && { min }),
    ...(max !== undefined && max !== '*' && max !== baseMax && { max: Number(max) }),
    ...(mostTypes && { types: mostTypes }),
    ...(valueSet !== undefined && !baseTypes.includes(`=${valueSet}`) && { codes: valueSet }),
    ...(fixed !== undefined && { fixed }),
    ...(pattern !== undefined && { pattern }),
    ...(profile !== undefined && { extension: profile }),
    ...(Object.keys(children).length > 0 && { children }),
    ...(slices.length > 0 && { slices }),
  };
}

function childrenOf(node: ElementNode, type: string | undefined, pkg: string): Record<string, ProfileNode> {
  const found: Record<string, ProfileNode> = {};
  for (const [name, child] of node.children) {
    // Left out, because the loader itself checks `meta.profile` and accepts a profile without a version.
    if (type === 'Meta' && name === 'profile') continue;
    const base = types[type ?? '']?.[name] ?? inheritedText(name);
    const asked = constraints(child, base, typeBelow(child, base), pkg);
    if (Object.keys(asked).length > 0) found[name] = asked;
  }
  return found;
}

function inheritedText(name: string): string | undefined {
  if (name === 'extension' || name === 'modifierExtension') return '0..* Extension';
  if (name === 'contained') return '0..* Resource';
  const single = { id: 'id', meta: 'Meta', implicitRules: 'uri', language: 'code', text: 'Narrative' };
  return Object.hasOwn(single, name) ? `0..1 ${single[name as keyof typeof single]}` : undefined;
}

/** The type that defines the child elements of a node; undefined if the node can have several types. */
function typeBelow({ element }: ElementNode, base: string | undefined): string | undefined {
  const [, first = ''] = (base ?? '').split(' ');
  if (first.includes('.')) return first;
  const [one, ...more] = element.type ?? [];
  return one !== undefined && more.length === 0 ? one.code : undefined;
}

function extensionNamed(canonical: string, pkg: string): string | undefined {
  const structure = packages.find<Structure>('StructureDefinition', canonical, pkg);
  if (structure === undefined || structure.type !== 'Extension') return undefined;
  const key = `${structure.url}|${structure.version}`;
  if (extensions[key] === undefined) {
    extensions[key] = {};
    extensions[key] = { children: childrenOf(treeOf(structure), 'Extension', structure.pkg) };
  }
  return key;
}

function slicesOf(
  node: ElementNode,
  base: string | undefined,
  type: string | undefined,
  pkg: string,
): readonly ProfileSlice[] {
  const { slicing, id } = node.element;
  const isChoice = id.endsWith('[x]');
  const discriminators = slicing?.discriminator ?? (isChoice ? [{ type: 'type', path: '$this' }] : []);
  const sliceBase = base?.replace(/^\S+/, '0..*');
  return node.slices.flatMap((slice) => {
    const name = slice.element.sliceName ?? '';
    // Slices of slices are left out: their discriminators are not those of this element.
    if (name.includes('/')) return [];
    const when = testsOf(slice, discriminators, pkg);
    if (when === undefined) return [];
    const own = isChoice ? (slice.element.type?.[0]?.code ?? type) : type;
    const asked = constraints(slice, sliceBase, own, pkg);
    return Object.keys(asked).length === 0 ? [] : [{ name, when, ...asked }];
  });
}

/** Makes the tests by which a value belongs to a slice; undefined where a discriminator cannot be evaluated on the resource alone. */
function testsOf(
  slice: ElementNode,
  discriminators: readonly { readonly type: string; readonly path: string }[],
  pkg: string,
): readonly SliceTest[] | undefined {
  const url = slice.element.type?.[0]?.code === 'Extension' ? slice.element.type[0].profile?.[0] : undefined;
  if (url !== undefined) return [{ path: ['url'], is: { kind: 'fixed', value: url.split('|')[0] } }];
  const tests = discriminators.map(({ type, path }): SliceTest | undefined => {
    const steps = path === '$this' ? [] : path.split('.');
    if (steps.some((step) => /[()]/.test(step))) return undefined;
    const target = below(slice, steps);
    if (type === 'type') {
      const codes = target?.element.type?.map(({ code }) => code);
      return codes === undefined || steps.length > 0
        ? undefined
        : { path: [], is: { kind: 'types', types: codes } };
    }
    if (type === 'exists') {
      return target === undefined
        ? undefined
        : { path: steps, is: { kind: 'exists', exists: target.element.max !== '0' } };
    }
    if (type !== 'value' && type !== 'pattern') return undefined;
    const is = target === undefined ? undefined : constantTest(target, pkg);
    return is === undefined ? undefined : { path: steps, is };
  });
  const known = tests.filter((each) => each !== undefined);
  return known.length === tests.length && known.length > 0 ? known : undefined;
}

function below(node: ElementNode, steps: readonly string[]): ElementNode | undefined {
  return steps.reduce<ElementNode | undefined>(
    (at, step) => at?.children.get(step) ?? at?.children.get(`${step}[x]`),
    node,
  );
}

/** Makes a test of the fixed values, patterns and required codes at a node and below it. */
function constantTest({ element, children }: ElementNode, pkg: string): SliceTest['is'] | undefined {
  const fixed = constantOf(element, 'fixed');
  if (fixed !== undefined) return { kind: 'fixed', value: fixed };
  const pattern = constantOf(element, 'pattern');
  if (pattern !== undefined) return { kind: 'pattern', value: pattern };
  const inner = [...children].flatMap(([name, child]) => {
    const own = (child.element.min ?? 0) > 0 ? constantTest(child, pkg) : undefined;
    const ofSlices = child.slices.flatMap((slice) =>
      (slice.element.min ?? 0) > 0 ? (constantTest(slice, pkg) ?? []) : [],
    );
    return [...(own === undefined ? [] : [own]), ...ofSlices].map((is) => ({ path: [name], is }));
  });
  if (inner.length > 0) return { kind: 'all', tests: inner };
  const { binding } = element;
  const codes =
    binding?.strength === 'required' && binding.valueSet !== undefined
      ? valueSets.nameOf(binding.valueSet, pkg)
      : undefined;
  return codes === undefined ? undefined : { kind: 'codes', valueSet: codes };
}

const profiles: Record<string, { type: string; root: ProfileNode }> = {};
const missing: string[] = [];
const served = [
  ...patientAccessTypes.flatMap((type) => servedResource(type).supportedProfiles),
  ...Object.values(directoryResources).flatMap((row) => row.profiles.map((profile) => `${profile}|1.1.0`)),
];
for (const [url, claims] of Map.groupBy(served, (canonical) => canonical.split('|', 1)[0] ?? '')) {
  // Packs all releases of a profile, served or not, because a row that claims the profile without a version may conform to any of them.
  const structures = packages
    .all('StructureDefinition', url)
    .filter((each): each is Structure => !/#.*-/.test(each.pkg));
  const packed = structures.map((structure) => {
    const version = structure.pkg.slice(structure.pkg.indexOf('#') + 1);
    const children = childrenOf(treeOf(structure), structure.type, structure.pkg);
    profiles[`${url}|${version}`] = { type: structure.type, root: { children } };
    return `${url}|${version}`;
  });
  missing.push(...claims.filter((claim) => !packed.includes(claim)));
}

const definitions: Definitions = {
  source: `FHIR R4 4.0.1 and the implementation guides (CC0-1.0), by bin/fhir-definitions.ts: ${packages.names.join(', ')}`,
  resourceTypes,
  types,
  valueSets: valueSets.codes(),
  profiles,
  extensions,
};
const file = join(import.meta.dirname, '..', 'lambdas', 'fhir', 'validation', 'definitions.json');
writeFileSync(file, byLine(definitions));
for (const canonical of missing)
  console.log(`no definition of ${canonical}: its rows are validated by R4 alone`);
console.log(
  `${Object.keys(types).length} types, ${Object.keys(profiles).length} profiles, ${readFileSync(file).length} bytes`,
);

/** Formats the definitions with one line for each type, value set and profile, so that diffs show which of them changed. */
function byLine(all: Definitions): string {
  const sections = Object.entries(all).map(([section, content]) => {
    if (typeof content === 'string' || Array.isArray(content))
      return `${JSON.stringify(section)}: ${JSON.stringify(content)}`;
    const lines = Object.entries(content).map(
      ([name, each]) => `  ${JSON.stringify(name)}: ${JSON.stringify(each)}`,
    );
    return `${JSON.stringify(section)}: {\n${lines.join(',\n')}\n}`;
  });
  return `{\n${sections.join(',\n')}\n}\n`;
}
