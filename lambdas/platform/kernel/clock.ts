/** Returns the present in milliseconds since 1970. Injected into whatever asks for the time, so that tests can set it. */
export type Clock = () => number;
