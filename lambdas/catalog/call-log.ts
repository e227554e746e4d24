/** Days of the log of calls: the retention of the gateway's access log, and the range of the portal's list. */
export const callLogDays = 14;
