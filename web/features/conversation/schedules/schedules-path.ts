/** The address of what is sent by itself. */
export const SCHEDULES_PATH = "/schedules";
