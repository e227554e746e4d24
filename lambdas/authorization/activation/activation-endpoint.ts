/** Endpoint of the activation pages, loaded at the first request to one of them. */

export { showActivationCode, submitActivationCode } from './code-endpoint.ts';
export { showActivation, submitActivation } from './details-endpoint.ts';
export { showActivationPassword, submitActivationPassword } from './password-endpoint.ts';
