/** Checks a resource against R4's types: elements, JSON types, lexical rules, cardinalities, required codes, types of references. */

import type { Definitions } from './definitions.ts';
import { addFault, type FaultCollector, mostFaults } from './faults.ts';
import { checkBirth, checkMoney } from './plausibility.ts';
import { checkBirthDate, type PrimitiveCheck, primitiveCheck } from './primitives.ts';
import { type CodeSet, createCodeSets, expectedCodes, isInValueSet } from './value-sets.ts';

/** Greatest depth of an element; each list counts as one more step. */
const mostSteps = 40;
/** Most elements of a resource; a claim of 999 lines has about 50,000. */
const mostElements = 100_000;

/** Rules of one JSON property of a type. */
interface Property {
  /** Name of the element; a choice of types ends with `[x]`. */
  readonly element: string;
  readonly isList: boolean;
  readonly isChoice: boolean;
  readonly primitive?: PrimitiveCheck | undefined;
  /** Data type (primitive or complex), backbone element, or `Resource`. */
  readonly type: string;
  readonly codes?: CodeSet | undefined;
  /** Resource types that a Reference may lead to; undefined for any. */
  readonly targets?: ReadonlySet<string> | undefined;
}

interface TypeRules {
  readonly properties: ReadonlyMap<string, Property>;
  /** The required elements, each with its possible properties, one of which must be present. */
  readonly required: readonly { readonly element: string; readonly properties: readonly string[] }[];
  readonly isResource: boolean;
}

type Json = Readonly<Record<string, unknown>>;

interface Check extends FaultCollector {
  /** IDs of the contained resources. */
  readonly contained: ReadonlySet<unknown>;
  /** `meta.lastUpdated` of the resource. */
  readonly lastUpdated: unknown;
  elements: number;
}

/** Makes the function that checks a resource against R4's types. The rules of a type are built when its first resource is checked. */
export function createStructureCheck(definitions: Definitions) {
  const codesNamed = createCodeSets(definitions);
  const resourceTypes = new Map(
    definitions.resourceTypes.map((type) => [type.replace('*', ''), !type.endsWith('*')]),
  );
  const built = new Map<string, TypeRules>();

  function rulesOf(type: string): TypeRules {
    const known = built.get(type);
    if (known !== undefined) return known;
    const isResource = resourceTypes.has(type);
    const elements = { ...inheritedElements(type, resourceTypes), ...definitions.types[type] };
    const properties = new Map<string, Property>();
    const required: TypeRules['required'][number][] = [];
    for (const [element, text] of Object.entries(elements)) {
      const own = propertiesOf(type, element, text);
      for (const [name, property] of own) properties.set(name, property);
      if (!text.startsWith('0')) {
        required.push({ element, properties: own.flatMap(([name]) => [name, `_${name}`]) });
      }
    }
    const rules = { properties, required, isResource };
    built.set(type, rules);
    return rules;
  }

  function propertiesOf(
    type: string,
    element: string,
    text: string,
  ): readonly (readonly [string, Property])[] {
    const [cardinality = '', ...rest] = text.split(' ');
    const codes = rest.find((each) => each.startsWith('='));
    const isChoice = element.endsWith('[x]');
    return rest
      .filter((each) => !each.startsWith('='))
      .map((each): readonly [string, Property] => {
        const [, name = each, targets] = /^(\w+)\((.*)\)$/.exec(each) ?? [];
        const isBirthDate = element === 'birthDate' && type !== 'Extension';
        const property: Property = {
          element,
          isChoice,
          isList: cardinality.endsWith('*'),
          type: name,
          primitive: isBirthDate ? checkBirthDate : primitiveCheck(name),
          codes: codes === undefined ? undefined : codesNamed(codes.slice(1)),
          targets: targets === undefined ? undefined : new Set(targets.split(',')),
        };
        return [
          isChoice ? element.slice(0, -3) + name.charAt(0).toUpperCase() + name.slice(1) : element,
          property,
        ];
      });
  }

  function checkObject(check: Check, value: Json, rules: TypeRules, type: string): void {
    if (check.at.length > mostSteps) {
      addFault(check, 'too_deep', `at most ${mostSteps} steps from the resource to an element`);
      return;
    }
    let isEmpty = true;
    let choices: Map<string, string> | undefined;
    for (const name in value) {
      isEmpty = false;
      const property = rules.properties.get(name);
      if (property === undefined) {
        if (name.startsWith('_')) checkCompanion(check, value, name, rules.properties.get(name.slice(1)));
        else if (name !== 'resourceType' || !rules.isResource) {
          addFault(check, 'unknown_element', `an element of ${type}`, name);
        }
        continue;
      }
      if (property.isChoice) {
        choices ??= new Map();
        const other = choices.get(property.element);
        if (other !== undefined) addFault(check, 'too_many_values', `one ${property.element}`, name);
        choices.set(property.element, name);
      }
      check.at.push(name);
      checkProperty(check, value[name], property, value[`_${name}`]);
      check.at.pop();
    }
    if (isEmpty) addFault(check, 'empty_value', `an object with elements of ${type}`);
    for (const { element, properties } of rules.required) {
      const [name = '', companion = ''] = properties;
      const isThere = name in value || companion in value || properties.some((each) => each in value);
      if (!isThere) {
        addFault(check, 'missing_element', `${element}, which R4 requires`, element.replace('[x]', ''));
      }
    }
    if (type === 'Extension') checkExtension(check, value);
    else if (type === 'Money') checkMoney(check, value);
    else if (persons.has(type)) checkBirth(check, value, check.lastUpdated);
  }

  function checkProperty(check: Check, value: unknown, property: Property, companion: unknown): void {
    if (!property.isList) {
      if (Array.isArray(value)) addFault(check, 'wrong_type', 'one value, not a list');
      else checkValue(check, value, property);
      return;
    }
    if (!Array.isArray(value)) {
      addFault(check, 'wrong_type', 'a list');
      return;
    }
    if (value.length === 0) addFault(check, 'empty_value', 'a list with entries');
    for (let at = 0; at < value.length; at += 1) {
      if (check.elements > mostElements || check.faults.length >= mostFaults) return;
      // In a list of primitives, null is allowed if the companion list (`_given`) has an item at the same position.
      if (value[at] === null && Array.isArray(companion) && companion[at] != null) continue;
      check.at.push(at);
      checkValue(check, value[at], property);
      check.at.pop();
    }
  }

  function checkValue(check: Check, value: unknown, property: Property): void {
    check.elements += 1;
    if (check.elements === mostElements)
      addFault(check, 'too_many_elements', `at most ${mostElements} elements`);
    const { primitive, type, codes } = property;
    if (value === null) addFault(check, 'empty_value', 'a value, not null');
    else if (primitive !== undefined) {
      const fault = primitive(value);
      if (fault !== undefined) addFault(check, fault.code, fault.expected);
      else if (codes !== undefined && !codes.codes.has(value))
        addFault(check, 'unknown_code', expectedCodes(codes));
    } else if (!isObject(value)) addFault(check, 'wrong_type', `an object: ${type}`);
    else if (type === 'Resource') checkContained(check, value);
    else {
      checkObject(check, value, rulesOf(type), type);
      if (type === 'Reference') checkReference(check, value, property.targets);
      if (codes !== undefined && !isInValueSet(value, codes))
        addFault(check, 'unknown_code', expectedCodes(codes));
    }
  }

  function checkContained(check: Check, value: Json): void {
    const { resourceType } = value;
    if (typeof resourceType === 'string' && resourceTypes.has(resourceType)) {
      checkObject(check, value, rulesOf(resourceType), resourceType);
    } else addFault(check, 'other_value', 'a resource type of R4', 'resourceType');
  }

  /** Checks the companion of a primitive (`_birthDate`): ID and extensions. */
  function checkCompanion(check: Check, parent: Json, name: string, property: Property | undefined): void {
    if (property?.primitive === undefined) {
      addFault(check, 'unknown_element', 'an element', name);
      return;
    }
    const value = parent[name];
    check.at.push(name);
    if (property.isList !== Array.isArray(value)) {
      addFault(check, 'wrong_type', property.isList ? 'a list' : 'one object, not a list');
    } else if (!Array.isArray(value)) checkValue(check, value, companionProperty);
    else {
      const values = parent[name.slice(1)];
      for (let at = 0; at < value.length; at += 1) {
        if (value[at] === null && Array.isArray(values) && values[at] != null) continue;
        check.at.push(at);
        checkValue(check, value[at], companionProperty);
        check.at.pop();
      }
    }
    check.at.pop();
  }

  /** Checks a resource whose `resourceType` is a type of R4. */
  return (collector: FaultCollector, resource: Json): void => {
    const { resourceType, contained, meta } = resource;
    const type = String(resourceType);
    const lastUpdated = isObject(meta) ? meta.lastUpdated : undefined;
    const ids = new Set(Array.isArray(contained) ? contained.map((each) => each?.id) : []);
    checkObject({ ...collector, contained: ids, lastUpdated, elements: 0 }, resource, rulesOf(type), type);
  };
}

/** Resource types that have a person's birth date. */
const persons: ReadonlySet<string> = new Set(['Patient', 'RelatedPerson', 'Practitioner', 'Person']);

/** The companion of a primitive (`_birthDate`) has the type Element. */
const companionProperty: Property = { element: '', isList: false, isChoice: false, type: 'Element' };

/** The elements that every resource, data type or backbone element has. */
function inheritedElements(
  type: string,
  resourceTypes: ReadonlyMap<string, boolean>,
): Readonly<Record<string, string>> {
  const extension = { extension: '0..* Extension' };
  const modifierExtension = { modifierExtension: '0..* Extension' };
  const isDomain = resourceTypes.get(type);
  if (isDomain === undefined) {
    return { id: '0..1 string', ...extension, ...(type.includes('.') && modifierExtension) };
  }
  return {
    id: '0..1 id',
    meta: '0..1 Meta',
    implicitRules: '0..1 uri',
    language: '0..1 code',
    ...(isDomain && {
      text: '0..1 Narrative',
      contained: '0..* Resource',
      ...extension,
      ...modifierExtension,
    }),
  };
}

/** An extension has a value or extensions, and not both (R4, ext-1). */
function checkExtension(check: FaultCollector, value: Json): void {
  let values = 0;
  for (const name in value) if (/^_?value[A-Z]/.test(name)) values += 1;
  const hasExtensions = value.extension !== undefined;
  if (values > 0 === hasExtensions) {
    addFault(check, values > 0 ? 'too_many_values' : 'missing_element', 'a value or extensions, one of both');
  }
}

function checkReference(check: Check, { reference }: Json, targets: ReadonlySet<string> | undefined): void {
  if (typeof reference !== 'string') return;
  if (reference.startsWith('#')) {
    if (reference !== '#' && !check.contained.has(reference.slice(1))) {
      addFault(check, 'other_value', 'the id of a contained resource after #', 'reference');
    }
    return;
  }
  const type = /^([A-Z][A-Za-z]+)\/[^/]+$/.exec(reference)?.[1];
  if (type !== undefined && targets !== undefined && !targets.has(type)) {
    addFault(check, 'other_value', `a reference to ${[...targets].join(' or ')}`, 'reference');
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
