/** How far back the log of calls goes: retention of the gateway's access log and reach of the portal's list, in days. */
export const callLogDays = 14;
