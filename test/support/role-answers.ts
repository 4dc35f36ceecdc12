import type { Endpoint } from "#shared/contracts/endpoint.ts";
import { sampleRequest, type Target } from "./samples.ts";
import type { Client } from "./worker.ts";

/** What the owner's sound request is answered with where it isn't the contract's own status. */
const OWN_ANSWERS: Record<string, number> = {
  verifyEmailSignIn: 400,
  signInByLink: 400,
  // It names another account's address.
  deleteAccount: 400,
  // No code was asked for.
  verifyAdditionalEmail: 400,
  verifyWhatsAppSetup: 400,
  startGoogleSignIn: 302,
  finishGoogleSignIn: 303,
  connectGoogle: 303,
  finishGoogleConnect: 303,
  getPicture: 404,
  getAttachment: 404,
  getMedia: 404,
  // Nothing goes on outside.
  stopRun: 404,
  // The id of a chat is no schedule's.
  getSchedule: 404,
  updateSchedule: 404,
  deleteSchedule: 404,
  runSchedule: 404,
  listScheduleRuns: 404,
  // Nor a folder's or a tag's, and nothing was deleted.
  updateFolder: 404,
  deleteFolder: 404,
  restoreFolder: 409,
  updateTag: 404,
  deleteTag: 404,
  // No image stands in the answer.
  offerImage: 404,
  openLive: 101,
  // A whole reply has nothing to go on with.
  continueReply: 400,
  // It is shared with nobody, and its owner deletes it instead of leaving.
  removeShare: 404,
  removeTeamShare: 404,
  leaveChat: 400,
  // Nobody published it.
  getPublicChat: 404,
  copyPublicChat: 404,
  // The id of a chat is no persona's and no prompt's.
  getPersona: 404,
  updatePersona: 404,
  deletePersona: 404,
  setDefaultPersona: 404,
  listPersonaVersions: 404,
  restorePersona: 404,
  // Nor any fact's, nor a key's.
  downloadAccountExport: 404,
  deleteAccountExport: 404,
  updateApiKey: 404,
  deleteApiKey: 404,
  endLinkedSignIn: 404,
  endSession: 404,
  testPushDevice: 404,
  updateMemory: 404,
  forgetMemory: 404,
  restoreMemory: 404,
  undoMemory: 404,
  listMemoryHistory: 404,
  // Nor any import's.
  getImport: 404,
  putImportPart: 404,
  finishImportUpload: 404,
  startImport: 404,
  cancelImport: 404,
  getImportReport: 404,
  getPrompt: 404,
  updatePrompt: 404,
  deletePrompt: 404,
  notePromptUse: 404,
  sharePersona: 404,
  getPersonaLink: 404,
  removePersonaLink: 404,
  sharePrompt: 404,
  getPromptLink: 404,
  removePromptLink: 404,
  // Nor any connection's; and nobody began to sign in.
  updateMcpConnection: 404,
  deleteMcpConnection: 404,
  acceptMcpTools: 404,
  signInToMcp: 404,
  finishMcpSignIn: 303,
  getKnowledge: 404,
  updateKnowledge: 404,
  deleteKnowledge: 404,
  putKnowledgeFile: 404,
  getKnowledgeFile: 404,
  deleteKnowledgeFile: 404,
  readKnowledgeFile: 404,
  readKnowledgeScan: 404,
  addKnowledgeArtifact: 404,
  removeKnowledgeArtifact: 404,
  readPassage: 404,
  // Nobody connected a Drive.
  startDriveIndex: 403,
  readDrivePassage: 404,
  // It opens in a window alone.
  openDrivePicker: 403,
  addDriveFiles: 404,
  shareKnowledge: 404,
  getKnowledgeLink: 404,
  removeKnowledgeLink: 404,
  // No link has that token.
  getSharedKnowledge: 404,
  importSharedKnowledge: 404,
  getSharedPersona: 404,
  importSharedPersona: 404,
  getSharedPrompt: 404,
  importSharedPrompt: 404,
  // The id of a chat is no team's, and no invitation has this link.
  updateTeam: 404,
  deleteTeam: 404,
  listTeamMembers: 404,
  updateTeamMember: 404,
  getTeamUsage: 404,
  downloadTeamUsage: 404,
  updateTeamBudgets: 404,
  removeTeamMember: 404,
  listTeamInvitations: 404,
  sendTeamInvitation: 404,
  cancelTeamInvitation: 404,
  getTeamInvitation: 404,
  acceptTeamInvitation: 404,
  // Nor any invite's, and nobody made this code.
  labelInvite: 404,
  returnInvite: 404,
  previewInvite: 404,
  redeemInvite: 404,
  // Nor any artifact's.
  getArtifact: 404,
  updateArtifact: 404,
  putArtifactContent: 404,
  listArtifactVersions: 404,
  getArtifactVersion: 404,
  restoreArtifact: 404,
  deleteArtifact: 404,
  openedArtifact: 404,
  listArtifactShares: 404,
  shareArtifact: 404,
  removeArtifactShare: 404,
  removeArtifactTeamShare: 404,
  putArtifactFile: 404,
  getArtifactFile: 404,
  // No mail reached it.
  getMail: 404,
  getRawMail: 404,
  decideSender: 404,
  sendMail: 404,
  discardMail: 404,
  remindOfMail: 404,
  // No call of it waits for a word.
  decideToolCall: 404,
};

/** Sends a sound request of a call about this chat. */
export async function ask(client: Client, name: string, endpoint: Endpoint, target: Target) {
  const { path, init } = sampleRequest(name, endpoint, target);
  const response = await client.fetch(path, init);
  if (response.webSocket) {
    response.webSocket.accept();
    response.webSocket.close();
    return { status: response.status, text: "" };
  }
  return { status: response.status, text: await response.text() };
}

/** How a chat that is not there answers, and one that is nobody's business. */
export const NOT_FOUND = '404 {"error":"Not found.","code":"NOT_FOUND"}';

/** The status of a sound request by who may make it; administration is not there for whoever is no administrator. */
export function expectedStatus(name: string, endpoint: Endpoint): string {
  return endpoint.access === "admin" ? NOT_FOUND : String(OWN_ANSWERS[name] ?? endpoint.status);
}
