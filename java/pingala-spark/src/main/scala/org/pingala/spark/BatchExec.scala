package org.pingala.spark

import org.apache.spark.{TaskContext, TaskKilledException}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.{SparkPlan, UnaryExecNode}

/** Adds the results of functions to the rows of a plan, computed for a batch of rows at a time. */
final case class BatchExec(functions: Seq[BatchExpression], results: Seq[AttributeReference], child: SparkPlan) extends UnaryExecNode {
  override def output: Seq[Attribute] = child.output ++ results

  override def producedAttributes: AttributeSet = AttributeSet(results)

  override def outputPartitioning: Partitioning = child.outputPartitioning

  override def outputOrdering: Seq[SortOrder] = child.outputOrdering

  override protected def doExecute(): RDD[InternalRow] = {
    val bound = functions.map(function => (function, function.children.map(BindReferences.bindReference(_, child.output)).toArray)).toArray
    val below = child.output
    val all = output
    val most = conf.getConfString("spark.pingala.batchRows", BatchExec.MostRows.toString).toInt
    require(most >= 1, s"spark.pingala.batchRows is $most: expected 1 or more")
    child.execute().mapPartitionsWithIndex { (index, rows) =>
      bound.foreach(_._2.foreach(_.foreach {
        case random: Nondeterministic => random.initialize(index)
        case _ =>
      }))
      new BatchExec.Batches(rows, bound, below, all, most)
    }
  }

  override protected def withNewChildInternal(newChild: SparkPlan): BatchExec = copy(child = newChild)
}

object BatchExec {
  private val MostRows = 4096

  /** A batch ends after as many bytes of rows. */
  private val MostBytes = 16L << 20

  private final class Batches(
      rows: Iterator[InternalRow],
      functions: Array[(BatchExpression, Array[Expression])],
      below: Seq[Attribute],
      output: Seq[Attribute],
      most: Int) extends Iterator[InternalRow] {
    private val calls = Calls.forTask()
    private val unsafe = UnsafeProjection.create(below, below)
    private val joined = new JoinedRow
    private val projection = UnsafeProjection.create(output, output)
    private var batch = Array.empty[UnsafeRow]
    private var results = Array.empty[Array[Any]]
    private var at = 0
    private var before = 0L

    override def hasNext: Boolean = at < batch.length || rows.hasNext

    override def next(): InternalRow = {
      if (at == batch.length) {
        before += batch.length
        read()
      }
      val row = new GenericInternalRow(functions.length)
      for (f <- functions.indices) {
        row.update(f, BatchExpression.valueOf(functions(f)._1, results(f)(at), before + at))
      }
      at += 1
      projection(joined(batch(at - 1), row))
    }

    private def read(): Unit = {
      val context = TaskContext.get()
      if (context != null && context.isInterrupted()) {
        throw new TaskKilledException("killed between batches")
      }
      val read = Array.newBuilder[UnsafeRow]
      var count = 0
      var bytes = 0L
      while (count < most && bytes < MostBytes && rows.hasNext) {
        val row = (rows.next() match {
          case row: UnsafeRow => row
          case other => unsafe(other)
        }).copy()
        read += row
        count += 1
        bytes += row.getSizeInBytes
      }
      batch = read.result()
      at = 0
      results = functions.map { case (function, arguments) =>
        val values = batch.map(row => arguments.map(_.eval(row)))
        val whole = values.indices.filterNot(i => values(i).contains(null)).toArray
        val computed = function.answers(whole.map(values), calls)
        val all = new Array[Any](batch.length)
        whole.indices.foreach(k => all(whole(k)) = computed(k))
        all
      }
    }
  }
}
