/** Collects the distinct tokens and texts of one type during a build, each with the resources that have it. */
import { fold } from '../../fhir/values/fold.ts';
import type { SearchedElement } from '../publication/publication-schema.ts';
import { RidList } from '../publication/rid-list.ts';
import type { SqlValue } from '../publication/sql.ts';
import type { IndexValue } from './index-values.ts';

interface PublishedValue {
  readonly element: number;
  readonly folded: string;
  readonly exact: string;
  readonly system: string;
  resources: number;
  /** Number of the last resource that was added. A resource may have a value twice, and is added once. */
  last: number;
  /** Set when a second resource is added; most values belong to one resource. */
  rids?: RidList;
}

const lowerCase = (text: string) => text.toLowerCase();

export class PublishedValues {
  /** The values by number of the element, then by system, then by text. */
  readonly #byElement: (Map<string, Map<string, PublishedValue>> | undefined)[] = [];

  add({ number }: SearchedElement, rid: number, value: IndexValue): void {
    if (value.kind === 'string') this.#count(number, rid, '', value.text, fold);
    if (value.kind !== 'token') return;
    if (value.code !== '') this.#count(number, rid, value.system, value.code, lowerCase);
    for (const text of value.texts) this.#count(number + 1, rid, '', text, fold);
  }

  #count(
    element: number,
    rid: number,
    system: string,
    exact: string,
    folding: (text: string) => string,
  ): void {
    let bySystem = this.#byElement[element];
    if (bySystem === undefined) {
      bySystem = new Map();
      this.#byElement[element] = bySystem;
    }
    let byText = bySystem.get(system);
    if (byText === undefined) {
      byText = new Map();
      bySystem.set(system, byText);
    }
    const value = byText.get(exact);
    if (value === undefined) {
      byText.set(exact, { element, folded: folding(exact), exact, system, resources: 1, last: rid });
      return;
    }
    if (value.last === rid) return;
    if (value.rids === undefined) {
      value.rids = new RidList();
      value.rids.add(value.last);
    }
    value.rids.add(rid);
    value.resources += 1;
    value.last = rid;
  }

  /**
   * Rows of the table `value`.
   *
   * @param systemNumber finds the number of a system in the file.
   */
  *rows(systemNumber: (system: string) => number): Generator<readonly SqlValue[]> {
    for (const bySystem of this.#byElement) {
      for (const byText of bySystem?.values() ?? []) {
        for (const { element, folded, exact, system, resources, last, rids } of byText.values()) {
          // A text that consists only of accents is empty after folding; no search finds it.
          if (folded === '') continue;
          const shown = exact === folded ? null : exact;
          yield [
            element,
            folded,
            shown,
            systemNumber(system),
            resources,
            rids === undefined ? last : rids.bytes(),
          ];
        }
      }
    }
  }
}
