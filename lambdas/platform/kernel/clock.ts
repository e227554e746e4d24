/** Returns the current time in milliseconds since 1970. Injected, so that tests can set the time. */
export type Clock = () => number;
