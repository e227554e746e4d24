/** Days that API Gateway's access log is kept, and that the portal's list of calls covers. */
export const callLogDays = 14;
