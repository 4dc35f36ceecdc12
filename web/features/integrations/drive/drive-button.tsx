import { useMutation } from "@tanstack/react-query";
import { HardDrive } from "lucide-react";
import { addDriveFiles } from "#shared/contracts/outbound/drive.ts";
import { useConnectGoogle } from "#web/features/people/linked-sign-ins/use-connect-google.ts";
import type { DriveButtonProps } from "#web/features/library/knowledge/drive-button-context.ts";
import { call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { Button } from "#web/ui/button.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { pickFiles } from "./pick-files.ts";

/** Adds files and folders of one's Drive to an entry of knowledge. */
export default function DriveButton({ entryId }: DriveButtonProps) {
  const connect = useConnectGoogle();
  const add = useMutation({
    mutationFn: async (id: string) => {
      const picked = await pickFiles();
      if (picked.kind === "refused") {
        const isUnconnected = picked.title === "Connect Google to continue";
        const action = { label: "Connect", onClick: () => connect.mutate(["drive"]) };
        toast({ title: picked.title, tone: "warning", ...(isUnconnected && { action }) });
      }
      if (picked.kind === "picked" && picked.files.length > 0) await call(addDriveFiles, { params: { id }, body: { files: picked.files } });
    },
    onError: (error) => void toast({ title: "File upload failed", description: error.message, tone: "danger" }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.knowledge }),
  });
  return (
    <Button
      size="sm"
      busy={add.isPending}
      onClick={() => (entryId === null ? toast({ title: "Save knowledge entry first", tone: "warning" }) : add.mutate(entryId))}
    >
      <HardDrive aria-hidden className="size-14" />
      Google Drive
    </Button>
  );
}
