import type { Clock } from '../kernel/clock.ts';

/** The system's clock, milliseconds since 1970. */
export const systemClock: Clock = () => Date.now();
