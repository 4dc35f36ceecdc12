import { useQuery } from "@tanstack/react-query";
import { checkEmailAuthentication } from "#shared/contracts/account/additional-emails.ts";
import { call } from "#web/lib/api.ts";
import { keys } from "#web/lib/query.ts";
import { Button } from "#web/ui/button.tsx";

/** Says what the domain of the account's own address lacks to distinguish its mails from forged ones; nothing where it lacks nothing. */
export function AuthenticationNotice({ email }: { email: string }) {
  const check = useQuery({
    queryKey: keys.emailAuthentication(email),
    queryFn: () => call(checkEmailAuthentication, { body: {} }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const failure = check.error?.message ?? (check.data && !check.data.hasAuthentication ? check.data.error : null);
  if (failure) {
    return (
      <div role="alert" className="mb-16 flex flex-wrap items-center gap-12 rounded-8 bg-danger-soft px-12 py-8 text-13 text-danger">
        <p className="min-w-200 flex-1">
          <strong className="block font-medium">Failed to verify email authentication</strong>
          {failure}
        </p>
        <Button size="sm" busy={check.isFetching} onClick={() => void check.refetch()}>
          Try again
        </Button>
      </div>
    );
  }
  if (!check.data || check.data.hasAuthentication) return null;
  return (
    <div role="note" className="mb-16 rounded-8 bg-signal-soft px-12 py-8 text-13 text-ink">
      <p className="font-medium">To avoid spoofing, you need to set up email DKIM or DMARC</p>
      <p className="mt-2">
        {`${check.data.domain} has neither that we know of, so mails that claim to be yours can't be trusted. Check your email for setup instructions.`}
      </p>
    </div>
  );
}
