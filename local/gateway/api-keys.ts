/** An API key, as calls are checked with it. */
export interface ApiKey {
  readonly id: string;
  /** Whether the key may be used; a disabled key is refused at once. */
  readonly enabled: boolean;
  /** Ids of the usage plans that hold the key. */
  readonly usagePlanIds: readonly string[];
}

/**
 * API Gateway's keys and their use. The stand-in of the control plane (`local/aws/api-gateway/control-plane.ts`) owns them; every metered
 * call reads them. Days are UTC dates, `2026-11-20`.
 */
export interface ApiKeys {
  findByValue(value: string): ApiKey | undefined;
  /** Counts one call of a key in a usage plan. */
  recordUse(usagePlanId: string, keyId: string, day: string): void;
  /** Number of calls from one day to another, both included. */
  used(usagePlanId: string, keyId: string, from: string, to: string): number;
}

/** Makes keys in memory, for tests and for assemblies without an API Gateway control plane. */
export function createApiKeys(keys: ReadonlyMap<string, ApiKey> = new Map()): ApiKeys {
  const uses = new Map<string, Map<string, number>>();
  return {
    findByValue: (value) => keys.get(value),
    recordUse(usagePlanId, keyId, day) {
      const days = uses.get(`${usagePlanId}/${keyId}`) ?? new Map<string, number>();
      uses.set(`${usagePlanId}/${keyId}`, days.set(day, (days.get(day) ?? 0) + 1));
    },
    used(usagePlanId, keyId, from, to) {
      let total = 0;
      for (const [day, calls] of uses.get(`${usagePlanId}/${keyId}`) ?? []) {
        if (day >= from && day <= to) total += calls;
      }
      return total;
    },
  };
}
