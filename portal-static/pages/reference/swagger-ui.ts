/** Loads Swagger UI for the API reference. */

import style from 'swagger-ui-dist/swagger-ui.css?url';
import script from 'swagger-ui-dist/swagger-ui-bundle.js?url';
import { allowMarkdownMarkup, scriptAddress } from '../../app/trusted-types.ts';
import type { OutgoingCall } from './sandbox-document.ts';

interface Settings {
  readonly domNode: HTMLElement;
  readonly spec: unknown;
  /** Name of a component one of the plugins brings. */
  readonly layout: string;
  readonly plugins: readonly unknown[];
  readonly deepLinking: boolean;
  readonly docExpansion: 'list' | 'none' | 'full';
  readonly defaultModelsExpandDepth: number;
  readonly validatorUrl: null;
  readonly requestInterceptor: (request: OutgoingCall) => OutgoingCall;
  readonly onComplete: () => void;
}

type SwaggerUi = (settings: Settings) => unknown;

/** Swagger UI as it is published, from this host: 1.5 MB that only this page loads. */
export async function loadSwaggerUi(): Promise<SwaggerUi> {
  // Swagger UI's scroll library (zenscroll) would handle every link inside the page, and not move the focus for "Skip to …".
  Object.assign(globalThis, { noZensmooth: true });
  allowMarkdownMarkup();
  await Promise.all([
    element('link', { rel: 'stylesheet', href: style }),
    element('script', { src: scriptAddress(script) }),
  ]);
  const { SwaggerUIBundle } = globalThis as unknown as { readonly SwaggerUIBundle: SwaggerUi };
  return SwaggerUIBundle;
}

const loading = new Map<string, Promise<void>>();

/** Puts a file into the document, once. @throws Error where it can't be had. */
function element(name: 'link' | 'script', attributes: Readonly<Record<string, string>>): Promise<void> {
  const address = String(attributes.src ?? attributes.href);
  const before = loading.get(address);
  if (before !== undefined) return before;
  const made = new Promise<void>((resolve, reject) => {
    const node = Object.assign(document.createElement(name), attributes);
    node.addEventListener('load', () => resolve());
    node.addEventListener('error', () => {
      loading.delete(address);
      node.remove();
      reject(new Error(`${address} could not be loaded`));
    });
    document.head.append(node);
  });
  loading.set(address, made);
  return made;
}
