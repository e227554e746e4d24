/** Types of exchanges with other payers, for the capabilities that begin, change and end them. */

export type { ExchangePermission, MemberExchange } from './member-exchange.ts';
export type { ExchangeChanges, MemberExchanges } from './member-exchanges-port.ts';
