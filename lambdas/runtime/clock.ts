/** The present, in milliseconds since 1970. Handed to whatever asks for the time, so that tests can set it. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();
