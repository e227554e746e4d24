/** Types for the part of the package `oidc-provider` that the local system and tests use; the package has no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

  export default class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
    /** @throws where the browser has no cookie of a sign-in that was begun. */
    interactionDetails(
      incoming: IncomingMessage,
      outgoing: ServerResponse,
    ): Promise<{ readonly uid: string }>;
    interactionFinished(incoming: IncomingMessage, outgoing: ServerResponse, result: object): Promise<void>;
  }
}

declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  /** Creates the class of stores in memory that the package uses by default. */
  export function createMemoryAdapter(): new (name: string) => object;
}
