using System.Text.Json.Nodes;
using System.Threading.Channels;

/// <summary>Events that were received, each a file of its id: a database would have a table with the id as its key.</summary>
sealed class Inbox
{
    readonly string folder;
    readonly Func<JsonNode, Task> work;
    readonly Channel<string> news = Channel.CreateUnbounded<string>();

    public Inbox(string folder, Func<JsonNode, Task> work)
    {
        (this.folder, this.work) = (folder, work);
        Directory.CreateDirectory(folder);
        foreach (var file in Directory.GetFiles(folder, "*.json"))
            if (!File.Exists(DoneOf(file))) news.Writer.TryWrite(file);
    }

    /// <summary>Stores an event; what is there already is left as it is.</summary>
    public void Store(string id, byte[] bytes)
    {
        var file = Path.Combine(folder, $"{Uri.EscapeDataString(id)}.json");
        var draft = $"{file}.{Guid.NewGuid()}.draft";
        File.WriteAllBytes(draft, bytes);
        try
        {
            // Only a whole file gets the name, and only the first one.
            File.Move(draft, file, overwrite: false);
            news.Writer.TryWrite(file);
        }
        catch (IOException) when (File.Exists(file))
        {
            File.Delete(draft);
        }
    }

    /// <summary>One event after the other; what fails is tried again at the next start.</summary>
    public async Task WorkOn()
    {
        await foreach (var file in news.Reader.ReadAllAsync())
        {
            try
            {
                await work(JsonNode.Parse(File.ReadAllBytes(file))!);
                File.WriteAllText(DoneOf(file), "");
            }
            catch (Exception error)
            {
                Console.Error.WriteLine($"{file}: {error.Message}");
            }
        }
    }

    static string DoneOf(string file) => Path.ChangeExtension(file, ".done");
}
