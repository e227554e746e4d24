/** Reads packed FHIR packages, and the tree of elements of a StructureDefinition, for `bin/fhir-definitions.ts`. */

import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { PackedResource } from './fhir-value-sets.ts';

/** The package of R4's own definitions. */
export const corePackage = 'hl7.fhir.r4.core#4.0.1';

/** An element of a StructureDefinition, as its snapshot lists it. */
export interface Element {
  readonly id: string;
  readonly min?: number;
  readonly max?: string;
  readonly sliceName?: string;
  readonly type?: readonly {
    readonly code: string;
    readonly profile?: readonly string[];
    readonly targetProfile?: readonly string[];
  }[];
  readonly contentReference?: string;
  readonly binding?: { readonly strength: string; readonly valueSet?: string };
  readonly slicing?: {
    readonly discriminator?: readonly { readonly type: string; readonly path: string }[];
    readonly rules?: string;
  };
  readonly [constant: string]: unknown;
}

/** A StructureDefinition of a packed package. */
export interface Structure extends PackedResource {
  readonly type: string;
  readonly kind: string;
  readonly abstract: boolean;
  readonly derivation?: string;
  readonly element: readonly Element[];
}

/** An element of a StructureDefinition with its child elements and slices. */
export interface ElementNode {
  readonly element: Element;
  readonly children: Map<string, ElementNode>;
  readonly slices: ElementNode[];
}

/** The resources of the packages in a folder. */
export interface FhirPackages {
  /** `<package>#<version>`, sorted. */
  readonly names: readonly string[];
  readonly resources: readonly PackedResource[];
  /** All resources of a type and URL, of every package. */
  all(type: string, url: string): readonly PackedResource[];
  /**
   * Resolves a canonical URL that a package refers to: among resources of the stated version, prefers the package itself, then R4, then the
   * first.
   */
  find<Found extends PackedResource>(type: string, canonical: string, pkg: string): Found | undefined;
}

/** Reads every package in a folder. */
export function readPackages(folder: string): FhirPackages {
  const packages = globSync('*.json.gz', { cwd: folder })
    .sort()
    .map((file) => {
      const content = JSON.parse(gunzipSync(readFileSync(join(folder, file))).toString('utf8'));
      const pkg = basename(file, '.json.gz');
      return { pkg, resources: content.resources.map((resource: object) => ({ ...resource, pkg })) };
    });
  const resources: readonly PackedResource[] = packages.flatMap((each) => each.resources);
  const byUrl = Map.groupBy(resources, ({ resourceType, url }) => `${resourceType} ${url}`);
  const all = (type: string, url: string) => byUrl.get(`${type} ${url}`) ?? [];
  return {
    names: packages.map(({ pkg }) => pkg),
    resources,
    all,
    find<Found extends PackedResource>(type: string, canonical: string, pkg: string) {
      const [url = '', version] = canonical.split('|');
      const known = all(type, url);
      const named = version === undefined ? known : known.filter((each) => isVersion(each, version));
      const open = named.length > 0 ? named : known;
      const found = [pkg, corePackage]
        .map((each) => open.find((one) => one.pkg === each))
        .find((one) => one !== undefined);
      return (found ?? open[0]) as Found | undefined;
    },
  };
}

function isVersion({ version, pkg }: PackedResource, wanted: string): boolean {
  return version === wanted || pkg.endsWith(`#${wanted}`);
}

/** Arranges the elements of a structure by their IDs: children below their parent, slices beside the element they slice. */
export function treeOf({ element }: Structure): ElementNode {
  const byId = new Map<string, ElementNode>();
  for (const each of element) {
    const node: ElementNode = { element: each, children: new Map(), slices: [] };
    byId.set(each.id, node);
    const segments = each.id.split('.');
    const [name = '', slice] = (segments.pop() ?? '').split(':');
    if (segments.length === 0) continue;
    const sliced = slice === undefined ? undefined : byId.get([...segments, name].join('.'));
    if (sliced !== undefined) sliced.slices.push(node);
    else byId.get(segments.join('.'))?.children.set(name, node);
  }
  const root = byId.get(element[0]?.id ?? '');
  if (root === undefined) throw new Error('a structure without elements');
  return root;
}
