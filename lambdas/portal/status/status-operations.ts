/** Requests about the status page to the function `application-operations`: a schedule's measurements, and operators' commands. */

import { type PortalResult, response } from '../api/route-handler.ts';
import { measuredEveryMinutes } from '../catalog/status.ts';
import { createIncidentCommands, type IncidentCommands } from './incident-commands.ts';
import { type MeasureServices, measureStatus } from './measure-status.ts';
import { readStatus, statusView } from './read-status.ts';
import type { StatusStore } from './status-ports.ts';

export interface StatusOperations extends IncidentCommands {
  /** Measures the status once. */
  measure(): Promise<PortalResult>;
  /** Reads the status as everybody sees it, but without a cache. */
  read(): Promise<PortalResult>;
}

export interface StatusOperationServices extends MeasureServices {
  readonly store: StatusStore;
  /** SHA-256 of a text, hex. */
  readonly sha256: (text: string) => string;
}

export function createStatusOperations(services: StatusOperationServices): StatusOperations {
  const { store, now } = services;
  return {
    ...createIncidentCommands(services),
    async measure() {
      const round = Math.floor(now() / (measuredEveryMinutes * 60_000));
      const measurement = await measureStatus(services, await store.newest());
      const counted = await store.record(measurement, round);
      const failed = measurement.components.filter(({ answers }) => !answers).length;
      return response(200, { answered: measurement.components.length - failed, failed, counted });
    },
    async read() {
      return response(200, statusView(await readStatus(store, now())));
    },
  };
}
