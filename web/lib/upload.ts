import type { Endpoint, InputOf, ResponseOf } from "#shared/contracts/endpoint.ts";
import { ErrorBody } from "#shared/errors.ts";
import { address, ApiError } from "./api.ts";
import { forgetRepeatKey, repeatKey } from "./repeat-keys.ts";

type Upload = {
  body: Blob;
  /** Its MIME type as the endpoint takes it; that of any file unless given. */
  type?: string;
  signal: AbortSignal;
  /** Called with the part that has gone out, 0 to 1. */
  onProgress: (part: number) => void;
};

/** Calls an endpoint whose body is a file, by XMLHttpRequest, as only that reports progress. Throws `ApiError`. */
export function upload<E extends Endpoint>(
  endpoint: E,
  input: Omit<InputOf<E>, "body">,
  { body, type = "application/octet-stream", signal, onProgress }: Upload,
): Promise<ResponseOf<E>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const url = address(endpoint, input);
    const named = `${url} ${nameOf(body)}`;
    request.open(endpoint.method, url);
    request.responseType = "json";
    request.setRequestHeader("content-type", type);
    if (endpoint.repeat === "key") request.setRequestHeader("idempotency-key", repeatKey(named));
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total);
    };
    request.onload = () => {
      const answer: unknown = request.response;
      if (request.status < 500 && request.status !== 409) forgetRepeatKey(named);
      if (request.status >= 200 && request.status < 300) {
        // As for every call: the server checked its answer against the same schema.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        return resolve(answer as ResponseOf<E>);
      }
      const parsed = ErrorBody.safeParse(answer);
      const { code, error } = parsed.success ? parsed.data : { code: "INTERNAL", error: "Upload failed" };
      return reject(new ApiError({ code, message: error, status: request.status, isFromServer: parsed.success }));
    };
    request.onerror = () => reject(new ApiError({ code: "OFFLINE", message: "The server cannot be reached.", status: 0 }));
    request.onabort = () => reject(new DOMException("The upload was called off.", "AbortError"));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(body);
  });
}

/** What distinguishes a file where the same one may be sent again. */
function nameOf(body: Blob): string {
  return body instanceof File ? `${body.name} ${body.size} ${body.lastModified}` : String(body.size);
}
