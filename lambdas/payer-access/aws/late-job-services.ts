/** Files and state machine of jobs, with AWS clients that are loaded with the first request for a job. */

import { StoreUnavailable } from '../../platform/table/table.ts';
import type { JobExecutions, JobFiles, PayerJobServices } from '../jobs/job-ports.ts';

/**
 * Wraps job services that are loaded at their first use. Most requests of payers need no job, and the clients of S3 and Step Functions are
 * two thirds of the code that the function would load for them. A file that is loaded later has its own copies of the error classes
 * (`bin/bundle.ts`), so its failures are converted to this file's `StoreUnavailable`.
 */
export function lateJobServices(load: () => Promise<PayerJobServices>): PayerJobServices {
  let loaded: Promise<PayerJobServices> | undefined;
  const use = async <Result>(call: (services: PayerJobServices) => Promise<Result>): Promise<Result> => {
    loaded ??= load();
    const services = await loaded;
    try {
      return await call(services);
    } catch (error) {
      throw new StoreUnavailable(error);
    }
  };
  const files: JobFiles = {
    put: (...object) => use((services) => services.files.put(...object)),
    readText: (key) => use((services) => services.files.readText(key)),
    keys: (prefix) => use((services) => services.files.keys(prefix)),
    remove: (keys) => use((services) => services.files.remove(keys)),
    signedUrl: (...object) => use((services) => services.files.signedUrl(...object)),
  };
  const machine: JobExecutions = {
    start: (...job) => use((services) => services.machine.start(...job)),
    isRunning: (name) => use((services) => services.machine.isRunning(name)),
  };
  return { files, machine };
}
